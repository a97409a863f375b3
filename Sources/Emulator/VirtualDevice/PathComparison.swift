import CommandLineSupport
import ContainingApp
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import ScreenCapture

/// One scenario through a broadcast extension and through ScreenCaptureKit, on a virtual clock: what each handler gets of the
/// same screen, and what enters the call.
///
/// ```swift
/// let comparison = try await PathComparison.run(PathComparison.Script(screen: screen, events: events, duration: .seconds(10)), in: folder)
/// print(comparison.text)
/// ```
@MainActor
package struct PathComparison {
  /// What happens on both paths.
  package struct Script {
    /// The options of the screen.
    package var screen: ScreenOptions
    /// The events in their text forms, with their times.
    package var events: [(time: Duration, text: String)]
    package var duration: Duration
    package var behaviour: ContentCapture.Behaviour

    package init(
      screen: ScreenOptions, events: [(time: Duration, text: String)], duration: Duration,
      behaviour: ContentCapture.Behaviour
    ) {
      (self.screen, self.events, self.duration, self.behaviour) = (screen, events, duration, behaviour)
    }
  }

  /// A line of the result.
  package struct Row: JSONEvent, Equatable, Sendable {
    package static let event = "comparison"
    /// What is compared: a word, or the time and the event.
    package var row: String
    package var replaykit: String
    package var screencapturekit: String

    package init(row: String, replaykit: String, screencapturekit: String) {
      (self.row, self.replaykit, self.screencapturekit) = (row, replaykit, screencapturekit)
    }
  }

  package let rows: [Row]

  /// The rows as a table.
  package var text: String {
    let titles = Row(row: "", replaykit: "broadcast extension", screencapturekit: "ScreenCaptureKit, iOS 27")
    let all = [titles] + rows
    let widths = [\Row.row, \.replaykit].map { path in all.map { $0[keyPath: path].count }.max() ?? 0 }
    return all.map { row in
      let cells = zip([row.row, row.replaykit], widths).map {
        $0.padding(toLength: $1, withPad: " ", startingAt: 0)
      }
      return (cells + [row.screencapturekit]).joined(separator: "  ")
    }.joined(separator: "\n")
  }

  /// Runs the script twice. `folder` is for the container of the broadcast.
  package static func run(_ script: Script, in folder: String) async throws -> PathComparison {
    let broadcast = try await BroadcastPath(script, folder: "\(folder)/broadcast").run(script)
    let stream = try await StreamPath(script, folder: "\(folder)/stream").run(script)
    return PathComparison(script, broadcast, stream)
  }

  private init(_ script: Script, _ broadcast: PathRecord, _ stream: PathRecord) {
    func row(_ name: String, _ text: (PathRecord) -> String) -> Row {
      Row(row: name, replaykit: text(broadcast), screencapturekit: text(stream))
    }
    rows =
      [
        row("frames", \.shape), row("rate", \.rate), row("orientation", \.orientations),
        row("app audio") { $0.format(of: .audioApp) }, row("microphone") { $0.format(of: .audioMic) },
        row("the screen rests", \.rest), row("into the call", \.call),
      ]
      + script.events.enumerated().map { index, event in
        row("\(event.time.decimalSeconds)s \(event.text)") { $0.effects[index] }
      } + [row("the end", \.ending)]
  }
}

/// What came of a script on one path.
struct PathRecord {
  /// The calls with samples, with times from the start.
  let lines: [TraceLine]
  let summary: WatchSummary
  /// What each event did.
  let effects: [String]
  let ending: String
  /// What says that the screen rests.
  let rest: String

  private var frames: [TraceLine.VideoShape] {
    lines.compactMap { if case .video(let shape, _) = $0.call { shape } else { nil } }
  }

  /// Sizes and pixel formats, in their order.
  var shape: String {
    let shapes = frames.map { "\($0.size), \($0.formatName)" }
    return shapes.distinct.isEmpty ? "none" : shapes.distinct.joined(separator: ", then ")
  }

  /// The rate of frames from the first to the last, with rests.
  var rate: String {
    let times = lines.filter(\.isFrame).map(\.arrival)
    guard let first = times.first, let last = times.last, last > first else {
      return times.count == 1 ? "1 frame" : "\(times.count) frames"
    }
    return
      "\(times.count) frames, \(Self.number(Double(times.count - 1) * 1e9 / Double(last - first))) a second"
  }

  var orientations: String {
    let values = frames.map { $0.orientation?.name ?? "none" }.distinct
    return values.isEmpty ? "none" : values.joined(separator: ", ")
  }

  func format(of type: RPSampleBufferType) -> String {
    let formats = lines.compactMap { line -> String? in
      guard case .audio(type, let shape, _) = line.call else { return nil }
      return shape.text
    }.distinct
    return formats.isEmpty ? "none" : formats.joined(separator: ", then ")
  }

  var call: String {
    "\(Self.number(summary.framesPerSecond)) frames a second, age \(Self.number(summary.ageMs.p50)) ms"
  }

  static func number(_ value: Double) -> String { String(format: "%.1f", value) }

  /// What came in the second after an event at `time`, and what came before and does no more.
  static func effect(of time: Int64, in lines: [TraceLine]) -> String {
    let after = lines.filter { $0.arrival > time + 50_000_000 && $0.arrival <= time + 1_050_000_000 }
    let frames = after.filter(\.isFrame).count
    var parts = [frames == 0 ? "no frames in 1 s" : "\(frames) \(frames == 1 ? "frame" : "frames") in 1 s"]
    for (type, name) in [(RPSampleBufferType.audioApp, "app audio"), (.audioMic, "microphone")] {
      func isHeard(in lines: some Sequence<TraceLine>) -> Bool {
        lines.contains { if case .audio(type, _, _) = $0.call { true } else { false } }
      }
      if isHeard(in: lines.prefix { $0.arrival <= time }), !isHeard(in: after) { parts.append("no \(name)") }
    }
    return parts.joined(separator: ", ")
  }
}

extension TraceLine {
  fileprivate var isFrame: Bool { if case .video = call { true } else { false } }
}

extension Array where Element: Hashable {
  /// The elements without the repetitions.
  fileprivate var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

/// A run of a script on one path.
@MainActor
protocol CapturePath: AnyObject {
  var clock: VirtualClock { get }
  var pace: VirtualPace { get }
  var recorder: TraceRecorder { get }
  var app: VirtualApp { get }
  /// What says that the screen rests.
  var rest: String { get }
  func start() async throws
  /// Makes an event happen; returns why it did not.
  func perform(_ event: String) -> String?
  /// How the capture ended; `nil` while it runs.
  var ending: String? { get }
}

extension CapturePath {
  func run(_ script: PathComparison.Script) async throws -> PathRecord {
    try await start()
    let start = clock.now
    var notes: [String?] = []
    for event in script.events {
      try await pace.run(for: event.time - (clock.now - start))
      let wasOver = ending != nil
      let refusal = wasOver ? "over" : clock.scope { perform(event.text) }
      try await pace.settle()
      notes.append(refusal ?? ending.map { "ends: \($0)" })
    }
    try await pace.run(for: max(.zero, script.duration - (clock.now - start)))
    let lines = try recorder.finish()
    let effects = zip(script.events, notes).map { event, note in
      note ?? PathRecord.effect(of: Int64((start + event.time).nanoseconds), in: lines)
    }
    return PathRecord(
      lines: lines, summary: app.summary, effects: effects, ending: ending ?? "runs on", rest: rest)
  }
}

/// The article's extension and app.
@MainActor
private final class BroadcastPath: CapturePath {
  let clock: VirtualClock
  let pace: VirtualPace
  let recorder: TraceRecorder
  let app: VirtualApp
  private var system: BroadcastSystem?
  private(set) var ending: String?
  let rest = "no sample"

  init(_ script: PathComparison.Script, folder: String) throws {
    let clock = VirtualClock(at: MonotonicTime(nanoseconds: 1_000_000_000_000), containerRoot: folder)
    let container = try AppGroupContainer(root: folder, group: "group.com.example.comparison")
    try container.prepare()
    let screen = try script.screen.makeScreen()
    let recorder = try TraceRecorder(clock: clock, path: nil, keepsLines: true)
    (self.clock, self.recorder, pace) = (clock, recorder, VirtualPace(clock))
    app = clock.scope {
      VirtualApp(clock: clock, note: { _ in }) {
        BroadcastProvider(container: container, call: $0, clock: clock)
      }
    }
    system = clock.scope {
      let handler = SampleHandler(
        configuration: BroadcastConfiguration(
          container: container, screenWidth: screen.content.size.width,
          screenHeight: screen.content.size.height, clock: clock, report: { _ in }))
      return BroadcastSystem(
        handler: handler, screen: screen,
        audio: [RPSampleBufferType.audioApp, .audioMic].map { EmulatedAudio(type: $0, content: nil) },
        time: clock.device, recorder: recorder
      ) { [weak self] event in
        guard case .finished(let report) = event else { return }
        self?.pace.screen = nil
        self?.ending = report.dialog ?? "broadcastFinished"
      }
    }
    pace.screen = screen
  }

  func start() async throws {
    clock.scope { system?.start() }
    try await pace.settle()
  }

  func perform(_ event: String) -> String? {
    // The extension does not see where its app is.
    if ["background", "foreground"].contains(event) { return nil }
    do throws(UsageError) { return system?.perform(try DeviceEvent(text: event)) } catch {
      return "no such event"
    }
  }
}

/// An app with a stream.
@MainActor
private final class StreamPath: CapturePath {
  let clock: VirtualClock
  let pace: VirtualPace
  let recorder: TraceRecorder
  let app: VirtualApp
  let rest: String
  private let capture: ContentCapture

  init(_ script: PathComparison.Script, folder: String) throws {
    let clock = VirtualClock(at: MonotonicTime(nanoseconds: 1_000_000_000_000), containerRoot: folder)
    var options = script.screen
    options.showsNativeSize()
    let screen = try options.makeScreen()
    let recorder = try TraceRecorder(clock: clock, path: nil, keepsLines: true)
    (self.clock, self.recorder, pace) = (clock, recorder, VirtualPace(clock))
    rest = script.behaviour.deliversIdle ? "samples with the status idle" : "no sample"
    let capture = ContentCapture(
      screen: screen, behaviour: script.behaviour, time: clock.device, recorder: recorder)
    app = clock.scope {
      capture.install()
      return VirtualApp(clock: clock, note: { _ in }) { StreamProvider(call: $0, clock: clock) }
    }
    self.capture = capture
    pace.screen = screen
  }

  /// The app has shown the picker; the person's answer starts the stream.
  func start() async throws {
    let limit = clock.now + .seconds(5)
    while !capture.isRunning, try await pace.step(until: limit) {}
  }

  func perform(_ event: String) -> String? {
    do throws(UsageError) { return capture.perform(try CaptureEvent(text: event)) } catch {
      return "no such event"
    }
  }

  var ending: String? { capture.figures.ending.map { "\($0), \($0.rawValue)" } }
}
