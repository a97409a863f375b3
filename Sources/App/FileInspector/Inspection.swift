import CommandLineSupport
import ContainingApp
import CoreVideo
import PictureFormats
import ReplayKit
import SharedMemory

/// The result of an inspection.
package struct Inspection: Sendable {
  /// One field, in the order of the file.
  package struct Field: Equatable, Sendable {
    package var key: InspectedKey
    /// The value in the file, right or wrong.
    package var value: InspectedValue
  }

  /// The format; `nil` if it is none of the known ones.
  package var format: (any KnownFormat.Type)?
  package private(set) var fields: [Field] = []
  /// A clause without a full stop for each problem.
  package private(set) var problems: [String] = []
  /// Additional information as a sentence; may be empty.
  package var note = ""
  /// The frame, if there is one that can be shown.
  package var picture: CVPixelBuffer?
  /// The first JPEG of a stream, decoded on demand.
  var jpeg: ArraySlice<UInt8>?
  /// Why ``picture`` is `nil`: a clause.
  package var whyNoPicture = "there is no frame in it"

  init(_ format: (any KnownFormat.Type)?) { self.format = format }

  package var isWellFormed: Bool { problems.isEmpty }

  /// The value of a field; `nil` if the format has no such field.
  package func value(_ key: InspectedKey) -> InspectedValue? { fields.first { $0.key == key }?.value }

  mutating func add(_ key: InspectedKey, _ value: some BinaryInteger) {
    fields.append(Field(key: key, value: .integer(Int(clamping: value))))
  }

  mutating func add(_ key: InspectedKey, _ value: String) {
    fields.append(Field(key: key, value: .text(value)))
  }

  mutating func add(_ key: InspectedKey, _ value: Double) {
    fields.append(Field(key: key, value: .number(value)))
  }

  /// Adds a problem unless `condition` holds; returns `condition`.
  @discardableResult
  mutating func expect(_ condition: Bool, _ problem: @autoclosure () -> String) -> Bool {
    if !condition { problems.append(problem()) }
    return condition
  }

  /// Adds the fields of a session in the header of a ring.
  mutating func addSession(_ session: UInt64, pid: UInt32, state: UInt64) {
    add(.session, String(session, radix: 16))
    expect(session != 0, "the session has no number")
    add(.pid, Int32(bitPattern: pid))
    let known = RingState(rawValue: state)
    add(.state, known.map { "\($0)" } ?? "\(state)")
    expect(known != nil, "the state is \(state), and states are 1 to 4")
  }

  /// Adds an orientation, which must be 1 to 8.
  mutating func addOrientation(_ value: some BinaryInteger) {
    add(.orientation, value)
    expect((1...8).contains(value), "the orientation is \(value), and orientations are 1 to 8")
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
    var lines = [format.map { "Format: \($0.name), \($0.summary)." } ?? "Format: none of the known ones."]
    lines += fields.map { field in
      switch field.value {
      case .integer(let value): "  \(field.key.rawValue): \(value)"
      case .number(let value): "  \(field.key.rawValue): \(value)"
      case .text(let value): "  \(field.key.rawValue): \(value)"
      }
    }
    if !note.isEmpty { lines.append(note) }
    if isWellFormed { lines.append("Well-formed.") }
    return lines.joined(separator: "\n")
  }

  /// Writes the frame to `snapshot` if that is not `nil`. Throws if the file is malformed, or if there is no frame.
  @MainActor
  package func check(path: String, snapshot: String?) throws(ProgramFailure) {
    var (picture, whyNoPicture) = (picture, whyNoPicture)
    if snapshot != nil, picture == nil, let jpeg {
      do throws(JPEGPicture.Failure) { picture = try JPEGPicture.decode(jpeg) } catch {
        whyNoPicture = "\(error)"
      }
    }
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
