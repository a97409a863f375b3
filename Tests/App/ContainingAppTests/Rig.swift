import CommandLineSupport
import MemoryKillRecord
import PixelAccess
import Platform
import ScreenBroadcast
import SharedMemory
import TestSupport
import WebRTC

@testable import ContainingApp

/// A provider over a container, with timers that the test ticks.
@MainActor final class Rig {
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

  init(
    _ container: AppGroupContainer, verifies: Bool = false,
    expectedAudio: Set<BroadcastAudioStream> = [],
    memoryKill: @escaping (Int32, UInt64?) -> MemoryKill? = { _, _ in nil },
    clock: any MonotonicClock = SystemClock()
  ) {
    producer = FakeProducer(container)
    call = VideoCall(outputSize: .native, fit: .crop)
    let status = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: statusTimer)
    bufferContext = BroadcastBufferContext(container: container, framePollTimer: frameTimer)
    provider = BroadcastProvider(
      statusManager: status,
      crashDetector: BroadcastCrashDetector(container: container, status: status, timer: crashTimer),
      bufferContext: bufferContext,
      audioContexts: zip(BroadcastAudioStream.allCases, audioTimers).map {
        AudioBufferContext(container: container, stream: $0, pollTimer: $1, clock: clock)
      },
      framePollTimer: frameTimer, call: call, verifies: verifies, expectedAudio: expectedAudio,
      memoryKill: memoryKill, clock: clock)
    provider.store.onCommit = { [journal] in journal.commits.append(($0, $1)) }
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
