import ExampleSupport
import Foundation
import ReplayKit

/// A handler that exchanges Darwin notifications with its app and sends no pictures.
///
/// It posts its state, and `framesReceived` for every ten frames. ReplayKit has no call to pause a broadcast, so on the
/// app's request the handler ignores frames.
class SampleHandler: RPBroadcastSampleHandler {
  private let notifications = DarwinNotifications()
  private let lock = NSLock()
  // Guarded by `lock`: requests arrive on the main queue, and samples on another.
  private var isInterrupted = false
  private var frameCount = 0

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    DispatchQueue.main.async { [self] in
      notifications.observe(.pauseRequested) { [weak self] in self?.interrupt(true) }
      notifications.observe(.resumeRequested) { [weak self] in self?.interrupt(false) }
      notifications.observe(.stopRequested) { [weak self] in
        guard let self else { return }
        DarwinNotifications.post(.finished)
        finishBroadcastGracefully(self)
      }
      DarwinNotifications.post(.started)
    }
  }

  override func broadcastPaused() { DarwinNotifications.post(.paused) }

  override func broadcastResumed() { DarwinNotifications.post(.resumed) }

  /// The person has ended the broadcast; an end by the handler does not call this.
  override func broadcastFinished() { DarwinNotifications.post(.finished) }

  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {
    guard sampleBufferType == .video else { return }
    lock.withLock {
      guard !isInterrupted else { return }
      frameCount += 1
      if frameCount % 10 == 0 { DarwinNotifications.post(.framesReceived) }
    }
  }

  /// Posts inside the lock: after `paused` the app receives no `framesReceived`.
  private func interrupt(_ isInterrupted: Bool) {
    lock.withLock {
      self.isInterrupted = isInterrupted
      DarwinNotifications.post(isInterrupted ? .paused : .resumed)
    }
  }
}
