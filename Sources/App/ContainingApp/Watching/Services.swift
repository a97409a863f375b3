import Dispatch
import MemoryKillRecord
import Platform
import ScreenBroadcast
import SharedMemory

/// The composition root: makes the app's services and hands each the ones it needs.
@MainActor
package struct Services {
  /// What the services are made for.
  package struct Configuration: Sendable {
    /// The container shared with the extension.
    package var container: AppGroupContainer
    /// The time between two looks at the status.
    package var statusInterval: Duration
    /// The time between two looks for a frame.
    package var framePollInterval: Duration
    /// How frames and changes of the status are waited for; `nil` to look at fixed times only.
    package var wake: BroadcastFrameSignal.Mode?
    /// Whether frames are held in place instead of copied.
    package var leases: Bool
    /// How the frames lie in the file.
    package var layout: BroadcastLayout
    /// The size of the frames that enter the call.
    package var outputSize: OutputSize
    /// How the screen gets into that size.
    package var fit: PictureFit
    /// Whether every frame is checked against the proof pattern.
    package var verifies: Bool

    /// The article's app by default: 0.5 s, 1/30 s, 1080 × 720, cropped.
    package init(
      container: AppGroupContainer, statusInterval: Duration = BroadcastStatusManagerImpl.pollInterval,
      framePollInterval: Duration = BroadcastBufferContext.pollInterval,
      wake: BroadcastFrameSignal.Mode? = nil, leases: Bool = false,
      layout: BroadcastLayout = .ring,
      outputSize: OutputSize = .fixed(width: 1080, height: 720), fit: PictureFit = .crop,
      verifies: Bool = false
    ) {
      self.container = container
      self.statusInterval = statusInterval
      self.framePollInterval = framePollInterval
      self.wake = wake
      self.leases = leases
      self.layout = layout
      self.outputSize = outputSize
      self.fit = fit
      self.verifies = verifies
    }
  }

  /// The app's end of the call.
  let call: VideoCall
  /// What knows the broadcast.
  let provider: any WatchedProvider
  /// What ticks when something is to be shown anew.
  let refreshTimer: any RepeatingTimer
  /// Whether the frames that enter the call are valid only until it returns: a recorder draws into them again.
  let lendsPixels: Bool
  /// Monotonic nanoseconds.
  let now: () -> UInt64

  /// The services of one app. Their timers tick on the main queue, but for a signal of frames, which has a thread.
  package init(_ configuration: Configuration) {
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
    now = { SystemClock().now.nanoseconds }
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
      memoryKill: MemoryKillFile(container: container).kill(of:session:), now: now)
  }

  /// The services of an app that captures its own screen: `provider` puts it into `call`.
  package init(capturing provider: CaptureProvider, into call: VideoCall) {
    now = { SystemClock().now.nanoseconds }
    refreshTimer = DispatchTimer(queue: .main)
    lendsPixels = true
    self.call = call
    self.provider = provider
  }
}
