import CommandLineSupport
import Foundation
import Platform

/// The content of a fact: an event that a program also prints.
package protocol FactBody: JSONEvent, Codable, Sendable {}

extension FactBody {
  /// Whether a phone can have measured these numbers. Any program may write the file.
  fileprivate var isPlausible: Bool {
    let (times, counts): ([Double?], [UInt64]) =
      switch self {
      case let body as SecondEvent:
        (
          [body.seconds, body.handlerMs, body.handlerMsMax, body.machineMs, body.screenMs],
          [
            body.framesDelivered, body.framesBehind, body.framesHeld, body.framesLeftOut, body.framesLate,
            body.sentBytes ?? 0,
          ]
        )
      case let body as CallEvent: ([body.openSeconds], [])
      case let body as BroadcastEnd: ([body.workSeconds, body.samplesHeldSeconds], [body.samplesHeld])
      case let body as MisuseEvent: ([body.heldSeconds], [])
      case let body as StopFact: ([body.seconds], [])
      case let body as StartedEvent: ([body.fps - 0.001], [])
      case let body as LaunchFact: ([body.fps - 0.001], [])
      case let body as MemoryKill: (body.isConsistent ? [] : [-1], [])
      default: ([], [])
      }
    return times.allSatisfy { (0...1e9).contains($0 ?? 0) } && counts.allSatisfy { $0 < 1 << 40 }
  }
}

/// An event in a broadcast, with its time and process.
package struct Fact: Sendable {
  package var time: MonotonicTime
  package var pid: Int32
  package var body: any FactBody

  package init(_ body: any FactBody, at time: MonotonicTime, pid: Int32) {
    self.time = time
    self.pid = pid
    self.body = body
  }

  /// The body types of the lines of a file.
  private static let kinds: [String: any FactBody.Type] = Dictionary(
    uniqueKeysWithValues: ([
      LaunchFact.self, StartedEvent.self, SecondEvent.self, PausedEvent.self, ResumedEvent.self,
      RequestEvent.self,
      MisuseEvent.self, SocketEvent.self, StopFact.self, BroadcastEnd.self, CallEvent.self, MemoryKill.self,
    ] as [any FactBody.Type]).map { ($0.event, $0) })

  private struct Header: Codable {
    var event: String
    var atNs: UInt64
    var pid: Int32
  }

  /// Decodes the body of an event that a program printed; `nil` if the event is not a fact.
  package static func body(event: String, json: Data) -> (any FactBody)? {
    guard let kind = kinds[event] else { return nil }
    // Another version may have other keys.
    do { return try JSONDecoder().decode(kind, from: json) } catch { return nil }
  }

  /// Parses a line as written by ``json``; `nil` for any other line.
  package init?(json line: Data) {
    let header: Header
    do { header = try JSONDecoder().decode(Header.self, from: line) } catch { return nil }
    guard let body = Self.body(event: header.event, json: line), body.isPlausible else { return nil }
    self.init(body, at: MonotonicTime(nanoseconds: header.atNs), pid: header.pid)
  }

  /// The fact as a line of a file of facts.
  package var json: Data? {
    struct Line: Encodable {
      let header: Header
      let body: any FactBody

      func encode(to encoder: any Encoder) throws {
        try header.encode(to: encoder)
        try body.encode(to: encoder)
      }
    }
    let header = Header(event: type(of: body).event, atNs: time.nanoseconds, pid: pid)
    // Only numbers that are not finite have no JSON form.
    do { return try JSONEncoder().encode(Line(header: header, body: body)) + [0x0A] } catch { return nil }
  }
}
