import CommandLineSupport
import CoreVideo
import PhoneLink
import PixelAccess
import Platform
import ScreenBroadcast
import SharedMemory
import TestSupport
import WebRTC

@testable import ContainingApp

/// A provider over a container of its own, with timers that the test ticks.
@MainActor final class Rig {
  private let folder: TemporaryFolder
  let container: AppGroupContainer
  let producer: FakeProducer
  let statusTimer = ManualTimer()
  let crashTimer = ManualTimer()
  let frameTimer = ManualTimer()
  let audioTimers = [ManualTimer(), ManualTimer()]
  let call: VideoCall
  let bufferContext: BroadcastBufferContext
  let provider: BroadcastProvider
  private let journal = Journal()

  final class Journal {
    var commits: [(old: BroadcastState, new: BroadcastState)] = []
  }

  /// - Parameter isLive: whether a broadcast runs and the provider is started.
  init(
    isLive: Bool = false, verifies: Bool = false, expectedAudio: Set<BroadcastAudioStream> = [],
    clock: any MonotonicClock = SystemClock()
  ) throws {
    folder = try TemporaryFolder()
    container = try AppGroupContainer(in: folder)
    producer = FakeProducer(container)
    call = VideoCall(outputSize: .native, fit: .crop)
    let status = BroadcastStatusManagerImpl(defaults: KeyValueFile(container: container), timer: statusTimer)
    bufferContext = BroadcastBufferContext(container: container, framePollTimer: frameTimer)
    provider = BroadcastProvider(
      statusManager: status,
      crashDetector: BroadcastCrashDetector(container: container, status: status, timer: crashTimer),
      bufferContext: bufferContext,
      audioContexts: zip(BroadcastAudioStream.allCases, audioTimers).map { [container] in
        AudioBufferContext(container: container, stream: $0, pollTimer: $1, clock: clock)
      },
      framePollTimer: frameTimer, call: call, verifies: verifies, expectedAudio: expectedAudio,
      memoryKill: MemoryKillFile(container: container).kill(of:session:), clock: clock)
    provider.store.onCommit = { [journal] in journal.commits.append(($0, $1)) }
    guard isLive else { return }
    try producer.start()
    provider.start()
  }

  /// The producer publishes a picture, and the provider polls.
  func deliver(
    _ picture: CVPixelBuffer? = nil, orientation: UInt32 = 1,
    at nanoseconds: UInt64 = SystemClock().now.nanoseconds
  ) throws {
    try producer.publish(picture ?? makeFilledPicture(32, 16), orientation: orientation, at: nanoseconds)
    frameTimer.tick()
  }

  var state: BroadcastState { provider.state }
  var commits: [(old: BroadcastState, new: BroadcastState)] { journal.commits }
  /// The phases of the provider in order.
  var phases: [BroadcastState.Phase] {
    var phases = [BroadcastState.Phase.waiting]
    for commit in commits where commit.new.phase != phases.last { phases.append(commit.new.phase) }
    return phases
  }
}
