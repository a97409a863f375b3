import CommandLineSupport
import Foundation
import LaunchedPrograms
import Testing

/// The tables of events in `Docs/JSONLines.md`.
package struct EventDocument {
  private struct Key {
    var type: String
    var isOptional: Bool
  }

  private var programs: [String: [String: [String: Key]]] = [:]

  package init() throws {
    let text = try String(contentsOf: Document.package.appending(path: "Docs/JSONLines.md"), encoding: .utf8)
    var program = ""
    var event = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("## ") { program = String(line.dropFirst(3)) }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard line.hasPrefix("|"), cells.count == 6, cells[1].isEmpty || cells[1].hasPrefix("`") else {
        continue
      }
      if !cells[1].isEmpty { event = Self.names(cells[1])[0] }
      programs[program, default: [:]][event, default: [:]].merge(
        Self.names(cells[2]).map { name in
          (name, Key(type: cells[3].replacing("?", with: ""), isOptional: cells[3].hasSuffix("?")))
        }
      ) { _, new in new }
    }
    try #require(programs.count == 2)
  }

  /// The type of each key, by event. An integer is a number.
  package func types(of program: String) -> [String: [String: String]] {
    programs[program, default: [:]].mapValues { keys in
      keys.mapValues { $0.type == "integer" ? "number" : $0.type }
    }
  }

  /// Expects that each event has every required key, only documented keys, and values of the documented types.
  package func expect(
    _ events: [ProgramEvent], of program: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!events.isEmpty, sourceLocation: sourceLocation)
    for event in events {
      guard let keys = programs[program]?[event.name] else {
        Issue.record("'\(event.name)' is not documented", sourceLocation: sourceLocation)
        continue
      }
      let values = event.values
      let missing = keys.filter { !$1.isOptional && values[$0] == nil }.keys.sorted()
      #expect(missing == [], "keys missing in '\(event.name)'", sourceLocation: sourceLocation)
      let unknown = values.keys.filter { keys[$0] == nil }.sorted()
      #expect(unknown == [], "undocumented keys of '\(event.name)'", sourceLocation: sourceLocation)
      for (name, value) in values {
        guard let type = keys[name]?.type else { continue }
        #expect(
          value.isOf(documentedType: type), "'\(name)' of '\(event.name)' is \(value), not \(type)",
          sourceLocation: sourceLocation)
      }
    }
  }

  /// The keys of a cell, in which `x/y.z` stands for `x.z` and `y.z`.
  private static func names(_ cell: String) -> [String] {
    cell.replacing(/[` ]/, with: "").split(separator: ",").flatMap { key in
      key.split(separator: ".").map { $0.split(separator: "/") }.reduce([]) { names, parts in
        names.isEmpty ? parts.map(String.init) : names.flatMap { name in parts.map { "\(name).\($0)" } }
      }
    }
  }
}

extension ProgramEvent {
  /// The values of all keys but `event`. The keys of an inner object are `object.key`.
  package var values: [String: JSONValue] {
    guard case .object(var values) = value else { return [:] }
    values["event"] = nil
    for (key, value) in values {
      guard case .object(let inner) = value else { continue }
      values[key] = nil
      for (name, value) in inner { values["\(key).\(name)"] = value }
    }
    return values
  }
}

extension JSONValue {
  /// The name of its type in `Docs/JSONLines.md`.
  package var typeName: String {
    switch self {
    case .boolean: "boolean"
    case .number: "number"
    case .string: "string"
    case .object: "object"
    case .array(let values): values.first?.typeName == "string" ? "array of strings" : "array of integers"
    case .null: "null"
    }
  }

  /// Whether the value has a type, named as in `Docs/JSONLines.md`. An integer is also a number.
  fileprivate func isOf(documentedType type: String) -> Bool {
    switch (self, type) {
    case (.boolean, "boolean"), (.number, "number"), (.string, "string"), (.object, "object"): true
    case (.number(let value), "integer"): value == value.rounded()
    case (.array(let values), "array of integers"): values.allSatisfy { $0.isOf(documentedType: "integer") }
    case (.array(let values), "array of strings"): values.allSatisfy { $0.isOf(documentedType: "string") }
    default: false
    }
  }
}
