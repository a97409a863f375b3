import Dispatch
import MemoryKillRecord
import Platform
import ScreenBroadcast
import SharedMemory

/// The composition root: makes the objects of the app and connects them.
@MainActor
package struct Services {
  /// The parameters of an app that follows broadcasts; the defaults are those of the article.
  package struct Configuration: Sendable {
    /// The container shared with the extension.
    package var container: AppGroupContainer
    /// The time between two polls of the status.
    package var statusInterval = BroadcastStatusManagerImpl.pollInterval
    /// The time between two polls for a frame.
    package var framePollInterval = BroadcastBufferContext.pollInterval
    /// How the app waits for frames and status changes; `nil` to poll at fixed times only.
    package var wake: BroadcastFrameSignal.Mode?
    /// Whether frames are leased instead of copied.
    package var leases = false
    package var layout = BroadcastLayout.ring
    /// The size of the frames that enter the call.
    package var outputSize = OutputSize.fixed(width: 1080, height: 720)
    package var fit = PictureFit.crop
    /// Whether every frame is compared with the proof pattern.
    package var verifies = false

    package init(container: AppGroupContainer) { self.container = container }
  }

  let call: VideoCall
  let provider: any WatchedProvider
  /// The timer of the view.
  let refreshTimer: any RepeatingTimer
  /// Whether frames are valid only until the call returns, because a recorder reuses their memory.
  let lendsPixels: Bool
  let clock: any MonotonicClock

  /// The services of an app that follows broadcasts. Timers tick on the main queue, a frame signal on its own thread.
  package init(_ configuration: Configuration, clock: any MonotonicClock = SystemClock()) {
    let container = configuration.container
    let statusTimer: any RepeatingTimer
    let framePollTimer: any RepeatingTimer
    if let mode = configuration.wake {
      statusTimer = KeyValueFileSignal(container: container, queue: .main)
      framePollTimer = BroadcastFrameSignal(container: container, mode: mode)
    } else {
      statusTimer = DispatchTimer(queue: .main)
      framePollTimer = DispatchTimer(queue: .main)
    }
    let statusManager = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: statusTimer,
      interval: configuration.statusInterval)
    self.clock = clock
    refreshTimer = DispatchTimer(queue: .main)
    lendsPixels = false
    call = VideoCall(outputSize: configuration.outputSize, fit: configuration.fit)
    provider = BroadcastProvider(
      statusManager: statusManager,
      crashDetector: BroadcastCrashDetector(
        container: container, status: statusManager, timer: DispatchTimer(queue: .main),
        interval: configuration.statusInterval),
      bufferContext: BroadcastBufferContext(
        container: container, framePollTimer: framePollTimer, interval: configuration.framePollInterval,
        leases: configuration.leases, layout: configuration.layout),
      audioContexts: BroadcastAudioStream.allCases.map { stream in
        AudioBufferContext(
          container: container, stream: stream, pollTimer: DispatchTimer(queue: .main),
          interval: configuration.framePollInterval)
      },
      framePollTimer: framePollTimer, call: call, verifies: configuration.verifies,
      memoryKill: MemoryKillFile(container: container).kill(of:session:), clock: clock)
  }

  /// The services of an app that captures its own screen: `provider` puts it into `call`.
  package init(
    capturing provider: CaptureProvider, into call: VideoCall, clock: any MonotonicClock = SystemClock()
  ) {
    self.clock = clock
    refreshTimer = DispatchTimer(queue: .main)
    lendsPixels = true
    self.call = call
    self.provider = provider
  }
}
