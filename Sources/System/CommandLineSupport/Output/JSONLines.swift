import Foundation

/// An event for other programs, written as an object whose key `event` has the kind.
package protocol JSONEvent: Encodable {
  static var event: String { get }
}

/// A stream of events. Each event is a line with a JSON object. Its keys are in alphabetical order.
///
///     struct Paused: JSONEvent { static let event = "paused" }
///     try JSONLines(to: .output).write(Paused())      // {"event":"paused"}
package struct JSONLines: Sendable {
  private let write: @Sendable (_ event: String, Data) -> Void
  private let streamFailure: @Sendable () -> ProgramFailure?

  package init(to stream: StandardStream) {
    write = { _, data in stream.write(data) }
    streamFailure = { stream.programFailure }
  }

  /// Creates a stream that passes each line, with its line feed, to `write`, after the name of its event.
  package init(_ write: @escaping @Sendable (_ event: String, Data) -> Void) {
    self.write = write
    streamFailure = { nil }
  }

  /// The failure of the stream after a failed write.
  package var failure: ProgramFailure? { streamFailure() }

  /// Writes an event. If the event has no JSON form, reports that to `console`, prefixed with the program's name.
  package func write(_ event: some JSONEvent, reportingTo console: Console, as program: String) {
    do { try write(event) } catch { console.report(error.report(from: program)) }
  }

  /// Writes an event as one line, in one call. Throws `.internalError` for a value without a JSON form, such as infinity. A
  /// failed write does not throw (see ``failure``).
  package func write<Event: JSONEvent>(_ event: Event) throws(ProgramFailure) {
    try write(Event.event, event)
  }

  /// Writes an event with the given name and the keys of `body`.
  package func write(_ name: String, _ body: some Encodable) throws(ProgramFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      write(name, try encoder.encode(NamedEvent(event: name, body: body)) + [0x0A])
    } catch {
      throw ProgramFailure(.internalError, "The event '\(name)' has no JSON form: \(error).")
    }
  }
}

/// Adds the name of an event to its keys.
private struct NamedEvent<Body: Encodable>: Encodable {
  let event: String
  let body: Body

  enum CodingKeys: CodingKey { case event }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(event, forKey: .event)
    try body.encode(to: encoder)
  }
}
