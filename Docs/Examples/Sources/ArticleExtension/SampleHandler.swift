import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import SharedMemory

/// A handler as in the article: the flag says that the broadcast runs, and mapped memory carries the frames.
///
/// It uses the parts of `ScreenBroadcast` one by one, where an app would rather subclass its `SampleHandler`.
class SampleHandler: RPBroadcastSampleHandler, BroadcastStatusSubscriber, @unchecked Sendable {
  private let container: AppGroupContainer
  private let statusManager: BroadcastStatusManagerImpl
  private var lock: ProcessLock?
  private var frames: FrameRingWriter?

  override init() {
    do { container = try AppGroupContainer(group: "group.com.example.screenshare.dev") } catch {
      fatalError("\(error)")
    }
    statusManager = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: DispatchTimer(queue: .main))
    super.init()
  }

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    do {
      try container.prepare()
      lock = try ProcessLock(path: container.producerLockFile)
      frames = try FrameRingWriter(
        path: container.framesFile, slotCount: 3,
        payloadCapacity: PixelBufferSerializer.serializedSize(width: 1170, height: 2532))
      try statusManager.start()
      statusManager.subscribe(self)
    } catch {
      finish(code: 2, text: "The broadcast cannot start: \(error)", cause: error)
    }
  }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    switch sampleBufferType {
    case .video:
      guard let pixelBuffer = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
      let orientation = CMGetAttachment(
        sampleBuffer, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)?.uint32Value
      do {
        let header = try PixelBufferSerializer.Header(of: pixelBuffer)
        try frames?.publish(
          byteCount: header.byteCount, captureTime: SystemClock().now, orientation: orientation ?? 1
        ) { slot in
          header.write(pixelBuffer, into: &slot)
        }
      } catch {
        finish(code: 3, text: "The broadcast cannot continue: \(error)", cause: error)
      }
    case .audioApp, .audioMic: break
    @unknown default: break
    }
  }

  override func broadcastFinished() { close() }

  /// The app has turned the flag off: only the extension can end the broadcast.
  func onChange(status: Bool) {
    if !status { finish(code: 1, text: "Broadcast completed") }
  }

  private func finish(code: Int, text: String, cause: Error? = nil) {
    close()
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: text]
    userInfo[NSUnderlyingErrorKey] = cause
    // The emulator knows the article's domain: its code 1 is the ordinary end, and not a failure.
    finishBroadcastWithError(NSError(domain: "ScreenShareBroadcastExtension", code: code, userInfo: userInfo))
  }

  /// Turns the flag off first and releases the lock last, so that the app can distinguish an end from a crash.
  private func close() {
    statusManager.unsubscribe()
    guard let lock else { return }
    do {
      try statusManager.stop()
      try frames?.finish()
      try lock.release()
    } catch {
      NSLog("%@", "The broadcast was not closed properly: \(error)")
    }
    (frames, self.lock) = (nil, nil)
  }
}
