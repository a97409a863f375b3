import CommandLineSupport
import Dispatch
import EmulatedDevice
import Platform
import ReplayKitCore
import ScreenBroadcast

extension BroadcastSystem {
  /// Makes screen, handler and system, in whatever process and on whatever clock: the one place that joins them. Where the other
  /// initializer has no word, as there.
  ///
  /// - Parameters:
  ///   - options: the screen; a trace decides about its shape.
  ///   - container: what the article's handler shares, with the slots and the layout of its frames.
  ///   - report: receives problems of the article's handler, on any thread.
  ///   - makeHandler: makes the principal class' object, as code of the device.
  package convenience init(
    on device: Device, screen options: ScreenOptions, audio: [EmulatedAudio] = [],
    setupInfo: [String: String] = [:], schedule: [ScheduledEvent] = [], durationLimit: Duration? = nil,
    frameLimit: UInt64? = nil, time: DeviceTime, trace: Trace? = nil, recorder: TraceRecorder? = nil,
    container: AppGroupContainer, slotCount: Int = BroadcastConfiguration.standardSlotCount,
    layout: BroadcastLayout = .ring, report: @escaping @Sendable (String) -> Void = { _ in },
    handler makeHandler: (EmulatedScreen) throws(ProgramFailure) -> RPBroadcastSampleHandler,
    onEvent: @escaping (Event) -> Void
  ) throws(ProgramFailure) {
    var options = options
    if let trace { options.follow(trace) }
    let made = Made()
    let screen = try options.makeScreen { misuse in
      time.enqueue(.main, nil) { MainActor.assumeIsolated { made.system?.note(misuse) } }
    }
    let size = screen.content.size
    BroadcastConfiguration.standard = BroadcastConfiguration(
      container: container, screenWidth: size.width, screenHeight: size.height, slotCount: slotCount,
      layout: layout, statusTimer: time.makeTimer(DispatchQueue(label: "broadcast.status")),
      clock: time.clock, report: report)
    let handler = try makeHandler(screen)
    let callsSuper = handler.launch()
    self.init(
      on: device, handler: handler, screen: screen, audio: audio, setupInfo: setupInfo, schedule: schedule,
      durationLimit: durationLimit, frameLimit: frameLimit, time: time, replay: trace.map(TraceReplay.init),
      recorder: recorder, onEvent: onEvent)
    made.system = self
    if !callsSuper { note(.withoutSuper) }
  }

  /// The system, which does not exist yet when its screen is made.
  @MainActor private final class Made { weak var system: BroadcastSystem? }
}
