import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import SharedMemory

/// The worker that broadcasts as an extension does: one session after the other, flat out, with the real handler.
struct HandlerWorker: Codable, Sendable {
  /// What the worker spends its time with, so that a random moment often hits it.
  enum Habit: String, Codable, CaseIterable, Sendable {
    /// Long sessions of large frames: publishing.
    case publishing
    /// Every other frame is larger than the ring: growing.
    case growing
    /// Sessions of two frames: the lock, the flag, new rings.
    case restarting
  }

  /// The root of the container.
  var root: String
  /// The app group.
  var group: String
  /// What it spends its time with.
  var habit: Habit

  /// Nobody may hold a publish up. A writer that waited for a dead reader's lease would wait for the lease limit,
  /// which is a second; a busy machine takes less.
  private static let longestPublish: UInt64 = 900_000_000

  /// Broadcasts until the parent has enough.
  func run(for parent: ParentProcess) throws {
    let container = try AppGroupContainer(root: root, group: group)
    var pictures = ProofPictures()
    var isReady = false
    while parent.wantsMore {
      let statusTimer = StepTimer()
      let handler = SampleHandler(
        configuration: BroadcastConfiguration(
          container: container, screenWidth: 16, screenHeight: 16, statusTimer: statusTimer,
          report: { parent.tell(.broken("the extension reported: \($0)")) }))
      handler.onFinish {
        parent.tell(
          .broken("the extension ended its broadcast: \($0.map(String.init(describing:)) ?? "no error")"))
      }
      handler.broadcastStarted(withSetupInfo: nil)
      for (index, size) in sizes.enumerated() where parent.wantsMore {
        let picture = try pictures.picture(
          width: size.width, height: size.height, number: UInt64(index + 1))
        let time = SystemClock().now.nanoseconds
        handler.processSampleBuffer(try ProofPictures.sample(of: picture, time: time), with: .video)
        if SystemClock().now.nanoseconds - time > Self.longestPublish {
          parent.tell(
            .broken("publishing a frame took \((SystemClock().now.nanoseconds - time) / 1_000_000) ms"))
        }
        if index % 16 == 1 { statusTimer.step() }
        if !isReady { parent.tell(.ready) }
        isReady = true
      }
      handler.broadcastFinished()
    }
  }

  /// The sizes of the frames of a session.
  private var sizes: [(width: Int, height: Int)] {
    switch habit {
    case .publishing: Array(repeating: (640, 480), count: 500)
    case .growing:
      [(16, 16), (64, 32), (96, 96), (160, 128), (256, 192), (384, 288), (640, 480)].flatMap { [$0, $0] }
    case .restarting: [(32, 32), (32, 32)]
    }
  }
}
