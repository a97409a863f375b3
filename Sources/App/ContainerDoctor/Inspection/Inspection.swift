import CommandLineSupport
import ContainingApp
import CoreVideo
import PixelAccess
import ReplayKit

package struct Inspection: Sendable {
  /// A format by its name in the JSON event `inspected`.
  package enum Format: String, CaseIterable, Sendable { case ring, audioRing = "audio-ring" }

  /// The format; `nil` if it is unknown.
  package let format: Format?
  /// The values in the file, right or wrong, in the order of the file.
  package private(set) var fields: [(key: InspectedKey, value: InspectedValue)] = []
  /// A clause without a full stop for each problem.
  package private(set) var problems: [String] = []
  /// Additional information as a sentence; may be empty.
  package var note = ""
  /// The frame, if there is one that can be shown.
  package var picture: CVPixelBuffer?
  /// Why ``picture`` is `nil`: a clause.
  var whyNoPicture = "there is no frame in it"

  init(_ format: Format?) { self.format = format }

  package var isWellFormed: Bool { problems.isEmpty }

  /// The value of a field; `nil` if the format has no such field.
  package func value(_ key: InspectedKey) -> InspectedValue? { fields.first { $0.key == key }?.value }

  mutating func add(_ key: InspectedKey, _ value: some BinaryInteger) {
    fields.append((key, .integer(Int(clamping: value))))
  }

  mutating func add(_ key: InspectedKey, _ value: String) { fields.append((key, .text(value))) }

  mutating func add(_ key: InspectedKey, _ value: Double) { fields.append((key, .number(value))) }

  mutating func fail(_ problem: String) { problems.append(problem) }

  /// Adds a problem unless `condition` holds; returns `condition`.
  @discardableResult
  mutating func expect(_ condition: Bool, _ problem: @autoclosure () -> String) -> Bool {
    if !condition { fail(problem()) }
    return condition
  }

  /// The orientation of the frame; `.up` if the file has none or an invalid one.
  private var orientation: CGImagePropertyOrientation {
    guard case .integer(let value) = value(.orientation), let raw = UInt32(exactly: value) else { return .up }
    return CGImagePropertyOrientation(rawValue: raw) ?? .up
  }
}

extension Inspection {
  /// The inspection for people: the format, a line for each field, and the note.
  package var text: String {
    var lines =
      switch format {
      case .ring: ["Format: ring, the frame ring of this program."]
      case .audioRing: ["Format: audio-ring, an audio ring of this program."]
      case nil: ["Format: none of the known ones."]
      }
    lines += fields.map { "  \($0.key.rawValue): \($0.value)" }
    if !note.isEmpty { lines.append(note) }
    if isWellFormed { lines.append("Well-formed.") }
    return lines.joined(separator: "\n")
  }

  /// Writes the frame to `snapshot` if that is not `nil`. Throws if the file is malformed, or if there is no frame.
  @MainActor
  package func check(path: String, snapshot: String?) throws(ProgramFailure) {
    if let snapshot, let picture {
      try SnapshotOutput(path: snapshot).write(picture, rotation: PictureRotation(orientation))
    }
    guard isWellFormed else {
      throw ProgramFailure(.verificationFailed, "\(path): \(problems.joined(separator: "; ")).")
    }
    if let snapshot, picture == nil {
      throw ProgramFailure(.cannotCreate, "\(snapshot) is not written: \(whyNoPicture).")
    }
  }
}
