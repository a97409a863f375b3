/// The events of the programs, as the sources declare their types. The tables of `Docs/JSONLines.md` are generated from them.
package struct EventDocument {
  /// The types of each program's events, in the order of the page.
  package static let programs: KeyValuePairs = [
    "producer": [
      "StartedEvent", "PausedEvent", "ResumedEvent", "RequestEvent", "SecondEvent", "MisuseEvent",
      "CallEvent",
      "NotificationEvent", "SocketEvent", "LogEvent", "RecordingEvent", "WroteEvent", "MemoryEvent",
      "BroadcastEnd",
    ],
    "consumer": [
      "StatusEvent", "FormatEvent", "WatchStats", "AudioEvent", "CrashedEvent", "ProducerSuspendedEvent",
      "ProducerResumedEvent", "AppSuspendedEvent", "CauseEvent", "BegunEvent", "ObservedEndEvent",
      "ControlEvent", "AppEvent", "CaptureEvent", "ServingEvent", "ProblemEvent", "AppSummary",
    ],
    "broadcast": [
      "ScenarioEvent", "VerdictEvent", "CheckedEvent", "FindingEvent", "DiagnosisEvent", "FindingKindEvent",
    ],
  ]

  /// Events that the programs of this package send each other, write to a file or print in an app of a user.
  private static let others: Set = [
    "FactBody", "HandlerEvent", "MeasuresEvent", "CaptureAppEvent", "CapturedEvent", "StopFact", "ExitFact",
    "AppFact", "LaunchFact",
    "AppStopFact", "MemoryKill",
  ]

  /// Properties of facts that no program prints.
  private static let unprinted: Set = [
    "RequestEvent.name",
    "RequestEvent.isFromPage",
    "RequestEvent.effect",
    "BroadcastEnd.exitCode",
  ]

  private static let sources = Result { try SourceTypes() }
  private let types: SourceTypes

  package init() throws { types = try Self.sources.get() }

  /// The types of events that are in no list.
  package var unlisted: [String] {
    let listed = Set(Self.programs.flatMap(\.value)).union(Self.others)
    return types.all.filter { type in
      type.conformances.contains { ["JSONEvent", "FactBody"].contains($0) } && !listed.contains(type.name)
    }.map(\.name)
  }

  private func events(of program: String) throws -> [SourceTypes.Declared] {
    try (Self.programs.first { $0.key == program }?.value ?? []).map { name in
      let found = types.all.first { $0.name == name && $0.event != nil }
      return try #require(found, "there is no event type \(name); EventDocument.programs has the list")
    }
  }

  package func eventNames(of program: String) throws -> Set<String> {
    Set(try events(of: program).compactMap(\.event))
  }

  private struct Key {
    /// The type in the page's column, without the question mark.
    var type: String
    var isOptional: Bool
  }

  private func printed(_ type: SourceTypes.Declared) -> [SourceTypes.Property] {
    type.properties.filter { !Self.unprinted.contains("\(type.name).\($0.name)") }
  }

  /// Returns the keys of an event. The keys of an inner object have the form `object.key`.
  private func keys(of event: SourceTypes.Declared) throws -> [String: Key] {
    var keys: [String: Key] = [:]
    for property in printed(event) {
      guard let object = object(of: property, in: event) else {
        keys[property.name] = Key(type: try type(of: property, in: event), isOptional: property.isOptional)
        continue
      }
      for inner in object.properties {
        let type = self.object(of: inner, in: object) == nil ? try type(of: inner, in: object) : "object"
        keys["\(property.name).\(inner.name)"] = Key(
          type: type, isOptional: property.isOptional || inner.isOptional)
      }
    }
    return keys
  }

  /// Returns the type of a property's value if the value is an object, otherwise `nil`.
  private func object(
    of property: SourceTypes.Property, in user: SourceTypes.Declared
  ) -> SourceTypes.Declared? {
    types.type(property.type, usedBy: user).flatMap { $0.cases.isEmpty ? $0 : nil }
  }

  private func type(of property: SourceTypes.Property, in user: SourceTypes.Declared) throws -> String {
    switch property.type {
    case "Int", "Int32", "UInt32", "UInt64": return "integer"
    case "Double": return "number"
    case "Bool": return "boolean"
    case "String": return "string"
    case "[String]": return "array of strings"
    case let name:
      let type = try #require(types.type(name, usedBy: user), "the type of \(user.name).\(property.name)")
      return type.cases.isEmpty ? "[object](#\(type.name.lowercased()))" : "string"
    }
  }

  /// Expects that each event has every required key, only documented keys, and values of the documented types.
  package func expect(
    _ events: [ProgramEvent], of program: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    #expect(!events.isEmpty, sourceLocation: sourceLocation)
    let documented = try self.events(of: program)
    for event in events {
      guard let type = documented.first(where: { $0.event == event.name }) else {
        Issue.record("'\(event.name)' is not documented", sourceLocation: sourceLocation)
        continue
      }
      let (keys, values) = (try keys(of: type), event.values)
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
}

// The tables of the page.
extension EventDocument {
  /// A row of a table, in Markdown.
  package typealias Row = [String]

  /// Returns the rows of a program's events and of their keys.
  package func rows(of program: String) throws -> [Row] {
    try events(of: program).flatMap { event in
      [["`\(event.event ?? "")`", "", "", text(of: event.comment)]]
        + (try rows(of: event).map { [""] + $0 })
    }
  }

  /// Returns the objects within events, sorted by name.
  package func objects() throws -> [(name: String, comment: String, rows: [Row])] {
    var found: [SourceTypes.Declared] = []
    var rest = try Self.programs.flatMap { try events(of: $0.key) }
    while let user = rest.popLast() {
      for object in printed(user).compactMap({ object(of: $0, in: user) })
      where !found.contains(where: { $0.name == object.name }) {
        found.append(object)
        rest.append(object)
      }
    }
    return try found.sorted { $0.name < $1.name }.map { ($0.name, text(of: $0.comment), try rows(of: $0)) }
  }

  /// Returns the rows of a type's keys. A property without a comment shares the row of the property before it.
  private func rows(of type: SourceTypes.Declared) throws -> [Row] {
    var rows: [Row] = []
    for property in printed(type) {
      let kind = try self.type(of: property, in: type) + (property.isOptional ? "?" : "")
      if property.comment.isEmpty, let last = rows.last, last[1] == kind {
        rows[rows.count - 1][0] += ", `\(property.name)`"
        continue
      }
      #expect(!property.comment.isEmpty, "\(type.name).\(property.name) has no comment")
      let words = types.type(property.type, usedBy: type)?.cases.map { word in
        "`\(word.name)`" + (word.comment.isEmpty ? "" : " (\(text(of: word.comment.withoutFullStop)))")
      }
      let values = words.map { $0.isEmpty ? "" : " One of \($0.joined(separator: ", "))." } ?? ""
      rows.append(["`\(property.name)`", kind, text(of: property.comment) + values])
    }
    return rows
  }

  /// Returns a comment as the text of a table cell. `Docs/PAGE.md#SECTION` becomes a link, and `nil` becomes "absent".
  private func text(of comment: String) -> String {
    comment.replacing("``", with: "`").replacing(". `nil`", with: ". Absent").replacing(
      "`nil`", with: "absent"
    )
    .replacing(/Docs\/((\w+)\.md(?:#([\w-]+))?)/) { match in
      let title = match.3.map { String($0.replacing("-", with: " ")) } ?? String(match.2)
      return "[\(title)](\(match.1))"
    }
  }
}

extension String {
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

extension ProgramEvent {
  /// The values of all keys except `event`. The keys of an inner object have the form `object.key`.
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
  /// Whether the value has a type, named as in `Docs/JSONLines.md`. An integer is also a number.
  fileprivate func isOf(documentedType type: String) -> Bool {
    switch (self, type) {
    case (.boolean, "boolean"), (.number, "number"), (.string, "string"), (.object, "object"): true
    case (.number(let value), "integer"): value == value.rounded()
    case (.array(let values), "array of strings"): values.allSatisfy { $0.isOf(documentedType: "string") }
    default: false
    }
  }
}
