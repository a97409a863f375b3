import CommandLineSupport
import ContainingApp
import CoreVideo
import PixelAccess
import ReplayKit
import ScreenBroadcast

package struct Inspection: Sendable {
  /// The format; `nil` if it is unknown.
  package let format: (any KnownFormat.Type)?
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

  init(_ format: (any KnownFormat.Type)?) { self.format = format }

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

extension Inspection {
  /// Adds format and size of a frame in two planes; returns whether they are valid.
  mutating func addShape(pixelFormat: OSType, width: Int, height: Int) -> Bool {
    add(.pixelFormat, pixelFormat.fourCharacters)
    add(.width, width)
    add(.height, height)
    let areValid = [
      expect(
        ["420f", "420v"].contains(pixelFormat.fourCharacters),
        "the pixel format is \(pixelFormat.fourCharacters), and broadcasts have only 420f and 420v"),
      expect((1...8192).contains(width), "the width is \(width), and widths are 1 to 8192"),
      expect((1...8192).contains(height), "the height is \(height), and heights are 1 to 8192"),
    ]
    return !areValid.contains(false)
  }

  /// Makes the frame from planes that lie within the bytes.
  mutating func addPicture(
    _ planes: [LentPlane], width: Int, height: Int, pixelFormat: OSType, from bytes: [UInt8]
  ) {
    do throws(PixelBufferError) {
      let buffer = try PixelBufferPool(width: width, height: height, pixelFormat: pixelFormat).makeBuffer()
      buffer.copyPlanes(planes, from: bytes.span)
      picture = buffer
    } catch {
      whyNoPicture = "\(error)"
    }
  }
}

extension OSType {
  /// The values that are recognised as a pixel format, supported or not.
  static let formatsSeen: Set<OSType> = Set(
    ["420f", "420v", "BGRA", "RGBA", "x420", "xf20", "y420", "f420", "2vuy", "yuvs", "422f", "422v", "444f"]
      .map { text in text.utf8.reduce(0) { $0 << 8 | OSType($1) } })
}
