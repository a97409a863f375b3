import CommandLineSupport
import EmulatedCapture
import EmulatedSystem
import ReplayKit

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
    package var events: [ScriptedEvent]
    package var duration: Duration
    package var behaviour: ContentCapture.Behaviour

    package init(
      screen: ScreenOptions, events: [ScriptedEvent], duration: Duration,
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
      zip([row.row, row.replaykit], widths).map { $0.padded($1 + 2) }.joined() + row.screencapturekit
    }.joined(separator: "\n")
  }

  /// Runs the script twice. `folder` is for the container of the broadcast.
  package static func run(_ script: Script, in folder: String) async throws -> PathComparison {
    let broadcast = try await BroadcastPath(script, folder: "\(folder)/broadcast").run(script)
    let stream = try await StreamPath(script, folder: "\(folder)/stream").run(script)
    return PathComparison(script, broadcast, stream)
  }

  /// What follows the effects of an event, if it is not known what a stream does then.
  private static func remark(_ event: String) -> String {
    do throws(UsageError) {
      return try CaptureEvent(text: event).traits.contains(.isAssumed) ? " (not known of a phone)" : ""
    } catch {
      return ""
    }
  }

  private init(_ script: Script, _ broadcast: PathRecord, _ stream: PathRecord) {
    func row(_ name: String, _ text: (PathRecord) -> String) -> Row {
      Row(row: name, replaykit: text(broadcast), screencapturekit: text(stream))
    }
    rows =
      [
        row("frames", \.shape), row("rate", \.rate), row("orientation", \.orientations),
        row("app audio") { $0.format(of: .audioApp) }, row("microphone") { $0.format(of: .audioMic) },
        Row(
          row: "the screen rests", replaykit: broadcast.rest,
          screencapturekit: stream.rest + Self.remark("still:1")),
        row("into the call", \.call),
      ]
      + script.events.enumerated().map { index, event in
        Row(
          row: "\(event.time.decimalSeconds)s \(event.text)", replaykit: broadcast.effects[index],
          screencapturekit: stream.effects[index] + Self.remark(event.text))
      } + [row("the end", \.ending)]
  }
}
