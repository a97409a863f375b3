import Foundation

/// A stream of events, each a JSON object on a line of its own, its keys in alphabetical order.
///
///     struct Paused: JSONEvent { static let event = "paused" }
///     try JSONLines(to: .output).write(Paused())      // {"event":"paused"}
public struct JSONLines: Sendable {
  private let stream: StandardStream

  /// Events that go to a stream.
  public init(to stream: StandardStream) { self.stream = stream }

  /// Why nothing can be written any more, once nothing can.
  public var failure: ProgramFailure? { stream.programFailure }

  /// Writes an event as one line, in one call.
  ///
  /// Throws `.internalError` for a value JSON has no form for, such as a number that is not finite. A reader that
  /// has left is no error; the stream tells of it.
  public func write(_ event: some JSONEvent) throws(ProgramFailure) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do {
      var line = try encoder.encode(NamedEvent(event))
      line.append(0x0A)
      stream.write(line)
    } catch {
      throw ProgramFailure(.internalError, "The event '\(type(of: event).event)' has no JSON form: \(error).")
    }
  }
}

/// An event with its name among its keys.
private struct NamedEvent<Body: JSONEvent>: Encodable {
  let body: Body

  init(_ body: Body) { self.body = body }

  enum CodingKeys: CodingKey { case event }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(Body.event, forKey: .event)
    try body.encode(to: encoder)
  }
}
