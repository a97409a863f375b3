import CommandLineSupport
import Dispatch
import EmulatedDevice
import Platform
import ReplayKitCore
import ScreenBroadcast
import SharedMemory

extension BroadcastSystem {
  /// Creates screen, handler and system, and connects them, in any process and on any clock. Parameters without a
  /// description here have the meaning that they have in the other initializer.
  ///
  /// - Parameters:
  ///   - options: the screen. A trace overrides its shape.
  ///   - container: the container that the article's handler shares, with the slots and the layout of its frames.
  ///   - report: receives errors of the article's handler, on any thread.
  ///   - makeHandler: creates the principal class's object; called as code of the device.
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

  /// Refers to the system, which does not exist yet when its screen is created.
  @MainActor private final class Made { weak var system: BroadcastSystem? }
}
