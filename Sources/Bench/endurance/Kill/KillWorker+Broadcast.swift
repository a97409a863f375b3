import CoreMedia
import EmulatedSystem
import Platform
import ReplayKit
import ScreenBroadcast
import Synchronization
import ToolSupport

extension KillWorker {
  /// The longest time that a publication may take. The writer must never wait for a reader: a wait for a killed reader
  /// would never end, but host load takes less time.
  private static let longestPublish = Duration.milliseconds(900)

  /// Broadcasts as an extension does: sessions in succession, at full speed, with the article's handler.
  func broadcast(in container: AppGroupContainer, for parent: ParentProcess<Report>) throws {
    let clock = SystemClock()
    var frames = ProofFrames()
    var isReady = false
    while parent.wantsMore {
      let statusTimer = StepTimer()
      let handler = SampleHandler(
        configuration: BroadcastConfiguration(
          container: container, screenWidth: 16, screenHeight: 16, statusTimer: statusTimer,
          report: { parent.fail("the extension reported: \($0)") }))
      handler.onFinish {
        let reason = $0.map(String.init(describing:)) ?? "no error"
        parent.fail("the extension ended its broadcast: \(reason)")
      }
      handler.broadcastStarted(withSetupInfo: nil)
      for (index, (width, height)) in activity.sizes.enumerated() where parent.wantsMore {
        let size = PixelSize(width: width, height: height)
        let frame = try frames.frame(size, number: UInt64(index + 1))
        let (start, earlierDelay) = (clock.now, ThreadActivity.processorDelay())
        guard let sample = EmulatedScreen.sample(of: frame, at: CMTime(start), orientation: .up) else {
          throw CheckFailure("no sample of a frame can be created")
        }
        handler.processSampleBuffer(sample, with: .video)
        // Subtract the run-queue delay: an overloaded host may starve this process of CPU for a long time, which is not a
        // wait for a reader.
        let time = clock.now - start - (ThreadActivity.processorDelay() - earlierDelay)
        try expect(time <= Self.longestPublish, "the publication of a frame took \(time)")
        if index % 16 == 1 { statusTimer.step() }
        if !isReady { parent.reportReady() }
        isReady = true
      }
      handler.broadcastFinished()
    }
  }
}

/// A timer that fires on demand, for polls at full speed.
final class StepTimer: RepeatingTimer {
  private let tick = Mutex<Callback<@Sendable () -> Void>?>(nil)

  func start(every interval: Duration, _ tick: @escaping @Sendable () -> Void) {
    self.tick.withLock { $0 = Callback(tick) }
  }

  func cancel() { tick.withLock { $0 = nil } }

  func step() { tick.withLock { $0 }?.call() }
}
