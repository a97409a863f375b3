import Dispatch
import PhoneLink
import Platform
import ScreenBroadcast

extension BroadcastProvider {
  /// A provider over a container, which puts the frames into `call`. Timers tick on the main queue, a frame signal on
  /// its own thread.
  ///
  /// - Parameters:
  ///   - isWoken: whether each frame and each change of the status is received at once, and not at the next poll.
  ///   - verifies: whether every frame is compared with the proof pattern.
  ///   - expectedAudio: the streams whose absence is a fault of a verified broadcast.
  package convenience init(
    container: AppGroupContainer, call: VideoCall,
    statusInterval: Duration = BroadcastStatusManagerImpl.pollInterval,
    framePollInterval: Duration = BroadcastBufferContext.pollInterval,
    isWoken: Bool = false, layout: BroadcastLayout = .ring,
    verifies: Bool = false, expectedAudio: Set<BroadcastAudioStream> = [],
    clock: any MonotonicClock = SystemClock()
  ) {
    let pollTimer = SharedTimer(DispatchTimer(queue: .main))
    let audioContexts = BroadcastAudioStream.allCases.map { stream in
      AudioBufferContext(
        container: container, stream: stream, pollTimer: pollTimer.part(), interval: framePollInterval,
        clock: clock)
    }
    let framePollTimer: any RepeatingTimer =
      isWoken ? BroadcastFrameSignal(container: container) : pollTimer.part()
    let statusManager = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container),
      timer: isWoken
        ? KeyValueFileSignal(container: container, queue: .main) : DispatchTimer(queue: .main),
      interval: statusInterval)
    self.init(
      statusManager: statusManager,
      crashDetector: BroadcastCrashDetector(
        container: container, status: statusManager, timer: DispatchTimer(queue: .main),
        interval: statusInterval),
      bufferContext: BroadcastBufferContext(
        container: container, framePollTimer: framePollTimer, isWoken: isWoken,
        interval: framePollInterval, layout: layout, clock: clock),
      audioContexts: audioContexts,
      framePollTimer: framePollTimer, call: call, verifies: verifies, expectedAudio: expectedAudio,
      memoryKill: MemoryKillFile(container: container).kill(of:session:), clock: clock)
  }
}
