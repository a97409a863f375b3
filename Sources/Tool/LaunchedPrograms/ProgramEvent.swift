import CommandLineSupport
import Foundation
import Platform

/// A JSON line that a program prints with `--json`; see `Docs/JSONLines.md`.
package struct ProgramEvent: Sendable {
  package let name: String
  package let value: JSONValue
  /// When the event was read.
  package let arrival = SystemClock().now
  package let line: Data

  package init(line: Data) throws {
    value = try JSONDecoder().decode(JSONValue.self, from: line)
    guard case .string(let name)? = value["event"] else { throw NoEvent() }
    self.name = name
    self.line = line
  }

  private struct NoEvent: Error, CustomStringConvertible {
    let description = "there is no string under 'event'"
  }

  /// Decodes the event as a type with some of its keys.
  package func decoded<Body: Decodable>(as type: Body.Type) throws -> Body {
    try JSONDecoder().decode(type, from: line)
  }

  package func boolean(_ path: String) -> Bool? {
    if case .boolean(let value) = value[path] { value } else { nil }
  }

  package func number(_ path: String) -> Double? {
    if case .number(let value) = value[path] { value } else { nil }
  }

  package func integer(_ path: String) -> Int? { number(path).flatMap(Int.init(exactly:)) }

  package func text(_ path: String) -> String? {
    if case .string(let value) = value[path] { value } else { nil }
  }
}
