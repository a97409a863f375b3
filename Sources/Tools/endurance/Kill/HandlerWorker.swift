import CommandLineSupport
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast

/// The worker that broadcasts as an extension does: sessions in succession, at full speed, with the article's handler.
struct HandlerWorker: Worker {
  /// What the worker does most of the time, so that a random kill often hits it.
  enum Activity: String, Codable, CaseIterable {
    /// Long sessions of large frames.
    case publishing
    /// Every other frame is larger than the ring.
    case growing
    /// Sessions of two frames: the lock, the flag, new rings.
    case restarting

    /// The widths and heights of the frames of a session.
    fileprivate var sizes: [(Int, Int)] {
      switch self {
      case .publishing: Array(repeating: (640, 480), count: 500)
      case .growing:
        [(16, 16), (64, 32), (96, 96), (160, 128), (256, 192), (384, 288), (640, 480)].flatMap { [$0, $0] }
      case .restarting: [(32, 32), (32, 32)]
      }
    }
  }

  /// The root of the container.
  var root: String
  var group: String
  var activity: Activity

  /// The writer never waits for a reader. A writer that waited for an orphaned lease would wait for the lease limit,
  /// which is one second; a busy machine takes less.
  private static let longestPublish = Duration.milliseconds(900)

  func run(for parent: ParentProcess) throws {
    let container = try AppGroupContainer(root: root, group: group)
    let clock = SystemClock()
    var frames = ProofFrames()
    var isReady = false
    while parent.wantsMore {
      let statusTimer = StepTimer()
      let handler = SampleHandler(
        configuration: BroadcastConfiguration(
          container: container, screenWidth: 16, screenHeight: 16, statusTimer: statusTimer,
          report: { parent.report(.failure("the extension reported: \($0)")) }))
      handler.onFinish {
        let reason = $0.map(String.init(describing:)) ?? "no error"
        parent.report(.failure("the extension ended its broadcast: \(reason)"))
      }
      handler.broadcastStarted(withSetupInfo: nil)
      for (index, (width, height)) in activity.sizes.enumerated() where parent.wantsMore {
        let size = PixelSize(width: width, height: height)
        let frame = try frames.frame(size, number: UInt64(index + 1))
        let start = clock.now
        handler.processSampleBuffer(try ProofFrames.sample(of: frame, time: start), with: .video)
        let time = clock.now - start
        try expect(time <= Self.longestPublish, "the publication of a frame took \(time)")
        if index % 16 == 1 { statusTimer.step() }
        if !isReady { parent.report(.ready) }
        isReady = true
      }
      handler.broadcastFinished()
    }
  }
}
