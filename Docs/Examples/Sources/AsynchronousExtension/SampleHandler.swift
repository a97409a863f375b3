import ExampleSupport
import Foundation
import ReplayKit

/// A handler that sends samples on a queue of its own, and holds them until then.
///
/// It takes every fifth sample and sends it when four later ones have arrived: the person has a third of a second to stop
/// before others see a picture. ReplayKit does not reuse the buffer of a sample that is held. Its pool is small, so the
/// handler holds at most five.
class SampleHandler: RPBroadcastSampleHandler {
  private struct Held {
    let sample: CMSampleBuffer
    /// Read when the sample arrived: the app compares the checksum with the pixels that are sent later.
    let header: FrameHeader
  }

  private let queue = DispatchQueue(label: "com.example.screenshare.sending")
  // On `queue`.
  private var connection: UnixSocket?
  private var delayed: [Held] = []

  private let lock = NSLock()
  // Guarded by `lock`.
  private var heldCount = 0

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
    guard frameCount % 5 == 0, let header = FrameHeader(sampleBuffer), countHeld() else { return }
    queue.async { [self] in
      delayed.append(Held(sample: sampleBuffer, header: header))
      if delayed.count > 4 { send(delayed.removeFirst()) }
    }
  }

  /// Counts one more held sample; `false` when that would be too many.
  private func countHeld() -> Bool {
    lock.withLock {
      guard heldCount < 5 else { return false }
      heldCount += 1
      return true
    }
  }

  private func send(_ held: Held) {
    defer { lock.withLock { heldCount -= 1 } }
    guard let connection else { return }
    do { try connection.send(held.sample, held.header) } catch { finish() }
  }

  /// The app has left.
  private func finish() {
    close()
    DarwinNotifications.post(.finished)
    finishBroadcastGracefully(self)
  }

  private func close() {
    connection = nil
    delayed = []
  }
}
