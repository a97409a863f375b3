import CommandLineSupport

/// The JSON event of `consumer inspect`.
package struct InspectedEvent: JSONEvent {
  package static let event = "inspected"

  private let path: String
  private let inspection: Inspection

  package init(_ inspection: Inspection, path: String) {
    self.inspection = inspection
    self.path = path
  }

  private enum Key: CodingKey { case path, format, wellFormed, problems, note }

  /// Encodes the fields of the format; the others are left out.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    try container.encode(path, forKey: .path)
    try container.encode(inspection.format?.rawValue ?? "unknown", forKey: .format)
    try container.encode(inspection.isWellFormed, forKey: .wellFormed)
    try container.encode(inspection.problems.joined(separator: "; "), forKey: .problems)
    if !inspection.note.isEmpty { try container.encode(inspection.note, forKey: .note) }
    var fields = encoder.container(keyedBy: InspectedKey.self)
    for field in inspection.fields { try fields.encode(field.value, forKey: field.key) }
  }
}

/// A field of a file, under its name in the JSON event `inspected`; `Docs/JSONLines.md` has their meanings.
package enum InspectedKey: String, CaseIterable, CodingKey, Sendable {
  // Any file.
  case byteCount
  // Rings and sessions.
  case version, slots, slotStride, session, pid, state
  // Frames; times in nanoseconds, sizes in pixels, rows in bytes with padding.
  case frameNumber, captureTimeNs, publishTimeNs, orientation, pixelFormat, width, height, lumaBytesPerRow
  case chromaBytesPerRow
  // Audio; the sample rate in Hz, the capacity in frames.
  case sampleRate, channels, bitsPerChannel, byteOrder, capacity, framesWritten, framesReserved, packets
  case packetsDropped
}

package enum InspectedValue: Equatable, Sendable, Encodable, CustomStringConvertible {
  case integer(Int)
  case number(Double)
  case text(String)

  private var content: any Encodable & CustomStringConvertible {
    switch self {
    case .integer(let value): value
    case .number(let value): value
    case .text(let value): value
    }
  }

  package var description: String { content.description }
  package func encode(to encoder: any Encoder) throws { try content.encode(to: encoder) }
}
