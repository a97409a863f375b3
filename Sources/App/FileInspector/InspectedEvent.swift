import CommandLineSupport

/// What a file holds: the JSON event of `consumer inspect`.
package struct InspectedEvent: JSONEvent {
  /// The event's name.
  package static let event = "inspected"

  private let path: String
  private let inspection: Inspection

  /// The event of an inspection.
  package init(_ inspection: Inspection, path: String) {
    self.inspection = inspection
    self.path = path
  }

  private enum Key: CodingKey { case path, format, wellFormed, problems, note }

  /// Writes what there is; fields that the format has not are left out.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(path, forKey: .path)
    try container.encode(inspection.format?.name ?? "unknown", forKey: .format)
    try container.encode(inspection.isWellFormed, forKey: .wellFormed)
    try container.encode(inspection.problems.joined(separator: "; "), forKey: .problems)
    if !inspection.note.isEmpty { try container.encode(inspection.note, forKey: .note) }
    var fields = encoder.container(keyedBy: InspectedKey.self)
    for field in inspection.fields {
      switch field.value {
      case .integer(let value): try fields.encode(value, forKey: field.key)
      case .number(let value): try fields.encode(value, forKey: field.key)
      case .text(let value): try fields.encode(value, forKey: field.key)
      }
    }
  }
}
