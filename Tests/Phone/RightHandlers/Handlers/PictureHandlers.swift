import Combine
import Foundation
import ReplayKit
import UIKit

/// Replaces a picture file in the group's folder, and notifies the app.
final class PictureFileHandler: RPBroadcastSampleHandler {
  private let file = Group.file("frame.jpg")
  private let encoder = JPEGEncoder()
  private var limiter = FrameLimiter(framesPerSecond: 5)

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .video, limiter.lets(sampleBuffer), let picture = encoder.encode(sampleBuffer) else {
      return
    }
    do {
      try picture.write(to: file, options: PlantedFault.writesInPlace.isPlanted ? [] : .atomic)
      CFNotificationCenterPostNotification(
        CFNotificationCenterGetDarwinNotifyCenter(),
        CFNotificationName(Group.frameNotification as CFString), nil, nil, true)
    } catch { finishBroadcastWithError(error) }
  }

  override func broadcastFinished() {
    do { try FileManager.default.removeItem(at: file) } catch CocoaError.fileNoSuchFile {
      // No frame was written.
    } catch { NSLog("%@", "The picture stays: \(error)") }
  }
}

/// Copies frames into buffers of a private pool, and skips frames while its queue is busy.
final class PoolHandler: RPBroadcastSampleHandler {
  private let queue = DispatchQueue(label: "analysis")
  private let lock = NSLock()
  private var pool: CVPixelBufferPool?
  private var size = (width: 0, height: 0)
  private var held: [CMSampleBuffer] = []
  // Guarded by `lock`.
  private var isBusy = false
  private var brightness = 0.0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .video, let pixels = CMSampleBufferGetImageBuffer(sampleBuffer) else { return }
    if PlantedFault.holdsSamples.isPlanted { held = (held + [sampleBuffer]).suffix(7) }
    let mayStart = lock.withLock {
      defer { isBusy = true }
      return !isBusy
    }
    guard mayStart else { return }
    let copy = copy(pixels)
    queue.async {
      let brightness = copy.map(self.brightness(of:))
      self.lock.withLock {
        self.brightness = brightness ?? self.brightness
        self.isBusy = false
      }
    }
  }

  override func broadcastFinished() { queue.sync {} }

  private func copy(_ pixels: CVPixelBuffer) -> CVPixelBuffer? {
    let new = (width: CVPixelBufferGetWidth(pixels), height: CVPixelBufferGetHeight(pixels))
    if pool == nil || new != size {
      let attributes: [CFString: Any] = [
        kCVPixelBufferWidthKey: new.width, kCVPixelBufferHeightKey: new.height,
        kCVPixelBufferPixelFormatTypeKey: CVPixelBufferGetPixelFormatType(pixels),
      ]
      CVPixelBufferPoolCreate(nil, nil, attributes as CFDictionary, &pool)
      size = new
    }
    var copy: CVPixelBuffer?
    guard let pool, CVPixelBufferPoolCreatePixelBuffer(nil, pool, &copy) == kCVReturnSuccess, let copy else {
      return nil
    }
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    CVPixelBufferLockBaseAddress(copy, [])
    defer {
      CVPixelBufferUnlockBaseAddress(copy, [])
      CVPixelBufferUnlockBaseAddress(pixels, .readOnly)
    }
    for plane in 0..<CVPixelBufferGetPlaneCount(pixels) {
      guard let from = CVPixelBufferGetBaseAddressOfPlane(pixels, plane),
        let to = CVPixelBufferGetBaseAddressOfPlane(copy, plane)
      else { return nil }
      let (fromStride, toStride) = (
        CVPixelBufferGetBytesPerRowOfPlane(pixels, plane), CVPixelBufferGetBytesPerRowOfPlane(copy, plane)
      )
      for row in 0..<CVPixelBufferGetHeightOfPlane(pixels, plane) {
        memcpy(to + row * toStride, from + row * fromStride, min(fromStride, toStride))
      }
    }
    return copy
  }

  /// The mean of the luma of the first row.
  private func brightness(of pixels: CVPixelBuffer) -> Double {
    CVPixelBufferLockBaseAddress(pixels, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(pixels, .readOnly) }
    guard let base = CVPixelBufferGetBaseAddressOfPlane(pixels, 0) else { return 0 }
    let row = UnsafeRawBufferPointer(start: base, count: CVPixelBufferGetWidth(pixels))
    return Double(row.reduce(0) { $0 + Int($1) }) / Double(row.count)
  }
}

/// Passes frames through a Combine pipeline, throttled to ten per second.
final class CombineHandler: RPBroadcastSampleHandler {
  private let frames = PassthroughSubject<CMSampleBuffer, Never>()
  private let queue = DispatchQueue(label: "frames")
  private let connection = AppConnection()
  private let encoder = JPEGEncoder(quality: 0.3)
  private var subscriptions: Set<AnyCancellable> = []

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    connection.open()
    frames.throttle(for: .milliseconds(100), scheduler: queue, latest: true)
      .compactMap { [encoder] in encoder.encode($0) }
      .sink { [connection] in connection.send($0) }
      .store(in: &subscriptions)
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    if type == .video { frames.send(sampleBuffer) }
  }

  override func broadcastFinished() {
    subscriptions = []
    queue.sync {}
    connection.close()
  }
}

/// Queries UIKit on the main queue, at its start and at each rotation of the device.
final class MainQueueHandler: RPBroadcastSampleHandler {
  private var scale: CGFloat = 1
  private var orientation: UInt32?

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) { askScreen() }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type == .video else { return }
    let key = RPVideoSampleOrientationKey as CFString
    let turned = CMGetAttachment(sampleBuffer, key: key, attachmentModeOut: nil)?.uint32Value
    guard turned != orientation else { return }
    orientation = turned
    askScreen()
  }

  private func askScreen() {
    DispatchQueue.main.sync { self.scale = UIScreen.main.scale }
  }
}
