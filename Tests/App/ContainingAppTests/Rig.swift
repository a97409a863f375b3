import PhoneLink
import PixelAccess
import ScreenBroadcast
import SharedMemory
import TestSupport
import WebRTC

@testable import ContainingApp

/// A provider with a private container, and with timers that the test ticks.
@MainActor final class Rig {
  private let folder: TemporaryFolder
  let container: AppGroupContainer
  let producer: FakeProducer
  let statusTimer = ManualTimer()
  let crashTimer = ManualTimer()
  let frameTimer = ManualTimer()
  let audioTimers = [ManualTimer(), ManualTimer()]
  let call: VideoCall
  let provider: BroadcastProvider
  private let journal = Journal()

  final class Journal {
    var commits: [(old: BroadcastState, new: BroadcastState)] = []
  }

  /// Creates a rig whose clock stands still by default, so that no frame becomes stale on an overloaded host.
  ///
  /// - Parameters:
  ///   - isLive: whether a broadcast runs and the provider is started.
  ///   - isStarted: whether the provider is started without a broadcast.
  init(
    isLive: Bool = false, isStarted: Bool = false, verifies: Bool = false,
    clock: any MonotonicClock = TestClock(at: SystemClock().now)
  ) throws {
    folder = try TemporaryFolder()
    container = try AppGroupContainer(in: folder)
    producer = FakeProducer(container)
    call = VideoCall(outputSize: .native, fit: .crop)
    provider = BroadcastProvider(
      container: container, call: call, verifies: verifies, clock: clock,
      timers: .init(status: statusTimer, crash: crashTimer, frames: frameTimer, audio: audioTimers))
    provider.store.onCommit = { [journal] in journal.commits.append(($0, $1)) }
    if isLive { try producer.start() }
    if isLive || isStarted { provider.start() }
  }

  /// Publishes a picture as the producer, and lets the provider poll.
  func deliver(
    _ picture: CVPixelBuffer? = nil, orientation: UInt32 = 1,
    at nanoseconds: UInt64 = SystemClock().now.nanoseconds
  ) throws {
    try producer.publish(picture ?? makeFilledPicture(32, 16), orientation: orientation, at: nanoseconds)
    frameTimer.tick()
  }

  /// Starts a broadcast as the producer, and lets the provider notice.
  func begin() throws {
    try producer.start()
    statusTimer.tick()
  }

  /// Ends the broadcast as the producer, and lets the provider notice.
  func finish(_ error: RingSessionError? = nil) throws {
    try producer.finish(error)
    statusTimer.tick()
  }

  /// Lets the producer die, and the provider notice.
  func crash() {
    producer.die()
    crashTimer.tick()
  }

  var bufferContext: BroadcastBufferContext { provider.bufferContext }
  var state: BroadcastState { provider.state }
  var commits: [(old: BroadcastState, new: BroadcastState)] { journal.commits }
  var phases: [BroadcastState.Phase] {
    var phases = [BroadcastState.Phase.waiting]
    for commit in commits where commit.new.phase != phases.last { phases.append(commit.new.phase) }
    return phases
  }
}
