import ExampleSupport
import Foundation
import ReplayKit

/// A handler that sends samples from a private queue, and holds each sample until it is sent.
///
/// It sends every twentieth sample a third of a second late. In this time the person can stop before others see a picture.
/// Apple's documentation says to keep no reference after the return, but public extensions do, and the producer counts it.
/// ReplayKit does not reuse the buffer of a held sample. Its pool is small and waiting samples use it too, so the handler
/// holds only one sample.
class SampleHandler: RPBroadcastSampleHandler {
  private struct Held {
    let sample: CMSampleBuffer
    /// Read when the sample arrived: the app compares the checksum with the pixels that are sent later.
    let header: FrameHeader
  }

  private let queue = DispatchQueue(label: "com.example.screenshare.sending")
  // Used on `queue`.
  private var connection: UnixSocket?
  private var held: Held?

  private let lock = NSLock()
  // Guarded by `lock`.
  private var isHolding = false

  private var frameCount = 0

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    queue.async { [self] in
      do {
        let socket = try ScreenShare.groupFolder().appendingPathComponent(ScreenShare.socketName)
        connection = try UnixSocket.connected(to: socket.path)
        DarwinNotifications.post(.started)
      } catch {
        NSLog("%@", "The app does not listen: \(error)")
        finish()
      }
    }
  }

  override func broadcastFinished() {
    queue.async { [self] in
      close()
      DarwinNotifications.post(.finished)
    }
  }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    guard sampleBufferType == .video else { return }
    frameCount += 1
    switch frameCount % 20 {
    case 0:
      guard let header = FrameHeader(sampleBuffer), startsToHold() else { return }
      queue.async { [self] in held = Held(sample: sampleBuffer, header: header) }
    case 19: queue.async { [self] in sendHeld() }
    default: break
    }
  }

  /// Records that a sample is held; returns `false` while an earlier sample is held.
  private func startsToHold() -> Bool {
    lock.withLock {
      defer { isHolding = true }
      return !isHolding
    }
  }

  private func sendHeld() {
    if let held, let connection {
      do { try connection.send(held.sample, held.header) } catch { finish() }
    }
    held = nil
    lock.withLock { isHolding = false }
  }

  /// Ends the broadcast after the app has left.
  private func finish() {
    close()
    DarwinNotifications.post(.finished)
    finishBroadcastGracefully(self)
  }

  private func close() {
    connection = nil
    held = nil
  }
}
