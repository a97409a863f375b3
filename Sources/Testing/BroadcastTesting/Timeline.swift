import Foundation
import Platform
import Synchronization

/// The events of a broadcast under test, in order of time.
///
/// ```swift
/// let rotations = await broadcast.timeline.events.filter { $0.name == "format" }
/// ```
/// An event is a JSON object with the keys that `Docs/JSONLines.md` describes for the programs `producer` and `consumer`.
public struct Timeline: Sendable, Equatable, CustomStringConvertible {
  /// The events, the oldest first.
  public internal(set) var events: [Event] = []
  /// The time of the snapshot, since the first start.
  public internal(set) var now = Duration.zero

  /// An event of the timeline.
  public struct Event: Sendable, Equatable {
    /// The source of an event.
    public enum Source: String, Sendable {
      /// The extension and the system that runs it.
      case `extension`
      case app
      /// A call of the test itself.
      case test
    }

    /// The time since the first start of the broadcast.
    public var time: Duration
    /// The source of the event.
    public var source: Source
    /// The name of the event, such as `started`.
    public var name: String
    /// The event as a JSON object with sorted keys.
    public var json: String
  }

  /// The events as JSON Lines. Each object has the keys `seconds` and `from` before its own keys.
  public var jsonLines: String {
    events.map { event in
      "{\"seconds\":\(event.time.secondsText(digits: 9)),\"from\":\"\(event.source.rawValue)\",\(event.json.dropFirst())\n"
    }.joined()
  }

  /// The latest events, one per line: at most twenty, from the last five seconds.
  public var description: String {
    let recent = events.drop { $0.time < now - .seconds(5) }.suffix(20)
    let lines = recent.map { event in
      let time = event.time.secondsText(digits: 3)
      let source = event.source.rawValue.padding(toLength: 9, withPad: " ", startingAt: 0)
      return "\(String(repeating: " ", count: max(0, 10 - time.count)))\(time) s  \(source)  \(event.json)"
    }
    return (["The broadcast at \(now.secondsText(digits: 3)) s, the last events before:"] + lines)
      .joined(separator: "\n")
  }
}

extension Duration {
  /// Returns the time in seconds as a decimal number, truncated after `digits` digits (at most 9).
  fileprivate func secondsText(digits: Int) -> String {
    let (seconds, rest) = max(0, wholeNanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    let fraction = String(rest)
    return "\(seconds)." + (String(repeating: "0", count: 9 - fraction.count) + fraction).prefix(digits)
  }
}

/// Records the timeline of a broadcast, on any thread.
final class EventLog: Sendable {
  private let clock: any MonotonicClock
  private let state: Mutex<(events: [Timeline.Event], start: MonotonicTime)>

  /// Creates an empty log whose times count from now on.
  init(clock: any MonotonicClock) {
    self.clock = clock
    state = Mutex(([], clock.now))
  }

  /// Restarts the times if the log is empty.
  func start() {
    let now = clock.now
    state.withLock { if $0.events.isEmpty { $0.start = now } }
  }

  var timeline: Timeline {
    let now = clock.now
    return state.withLock { Timeline(events: $0.events, now: now - $0.start) }
  }

  /// Adds an event as a JSON object with the key `event`.
  func add(
    _ json: String, named name: String, from source: Timeline.Event.Source, at time: MonotonicTime? = nil
  ) {
    let time = time ?? clock.now
    state.withLock { state in
      state.events.append(
        Timeline.Event(time: max(.zero, time - state.start), source: source, name: name, json: json))
    }
  }

  /// Adds a JSON line as a program writes it. Without `name`, the event has the name in the line. The process ID is omitted
  /// if it is this process's ID.
  func add(line: Data, named name: String? = nil, from source: Timeline.Event.Source) {
    let text = String(decoding: line, as: UTF8.self).trimmingCharacters(in: .newlines)
      .replacing(",\"pid\":\(ProcessInfo.processInfo.processIdentifier)", with: "")
    add(text, named: name ?? Self.name(of: line), from: source)
  }

  /// Adds an action of the test.
  func note(_ action: String) {
    add("{\"event\":\(action.json)}", named: action, from: .test)
  }

  /// Adds an event of the system of a capture.
  func happened(_ text: String) {
    add("{\"event\":\(text.json)}", named: text, from: .app)
  }

  /// Adds a problem that did not end anything.
  func problem(_ text: String, from source: Timeline.Event.Source) {
    add("{\"description\":\(text.json),\"event\":\"problem\"}", named: "problem", from: source)
  }

  /// Returns the latest event of a name, as the bytes of its JSON.
  func last(_ name: String, from source: Timeline.Event.Source, after count: Int = 0) -> Data? {
    state.withLock { state in
      state.events.dropFirst(count).last { $0.name == name && $0.source == source }.map { Data($0.json.utf8) }
    }
  }

  var count: Int { state.withLock { $0.events.count } }

  static func name(of line: Data) -> String {
    struct Named: Decodable { var event: String }
    do { return try JSONDecoder().decode(Named.self, from: line).event } catch { return "output" }
  }
}

extension String {
  /// The string as a JSON string literal.
  fileprivate var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // A string can always be encoded.
    do { return String(decoding: try encoder.encode(self), as: UTF8.self) } catch { return "\"\"" }
  }
}
