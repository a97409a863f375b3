import CommandLineSupport
import ContainingApp
import CoreVideo
import PictureFormats
import ReplayKit
import ScreenBroadcast
import SharedMemory
import WebRTC

/// What a look into a file found.
package struct Inspection: Sendable {
  /// One field, in the order of the file.
  package struct Field: Equatable, Sendable {
    /// What it is.
    package var key: InspectedKey
    /// What it says, true or not.
    package var value: InspectedValue
  }

  /// The name of the format; `nil` when it is none of the known ones.
  package var format: (any KnownFormat.Type)?
  /// The header's fields.
  package private(set) var fields: [Field] = []
  /// What is wrong: a clause for each, without a full stop.
  package private(set) var problems: [String] = []
  /// What a reader should know besides, as a sentence; empty for nothing.
  package var note = ""
  /// The picture, where there is one that can be shown.
  package var picture: CVPixelBuffer?
  /// The first picture of a stream, which is decoded when somebody wants to see it.
  var jpeg: ArraySlice<UInt8>?
  /// Why a picture that is there is not shown: a clause.
  package var whyNoPicture = "there is no picture in it"

  init(_ format: (any KnownFormat.Type)?) { self.format = format }

  /// Whether nothing is wrong.
  package var isWellFormed: Bool { problems.isEmpty }

  /// The value of a field; `nil` when the format has no such field.
  package func value(_ key: InspectedKey) -> InspectedValue? { fields.first { $0.key == key }?.value }

  mutating func add(_ key: InspectedKey, _ value: Int) {
    fields.append(Field(key: key, value: .integer(value)))
  }

  mutating func add(_ key: InspectedKey, _ value: String) {
    fields.append(Field(key: key, value: .text(value)))
  }

  mutating func add(_ key: InspectedKey, _ value: Double) {
    fields.append(Field(key: key, value: .number(value)))
  }

  /// Notes a problem unless `condition` holds; whether it held.
  @discardableResult
  mutating func expect(_ condition: Bool, _ problem: @autoclosure () -> String) -> Bool {
    if !condition { problems.append(problem()) }
    return condition
  }

  /// Notes what a ring's header says of its session.
  mutating func addSession(_ session: UInt64, pid: Int32, state: UInt64) {
    add(.session, String(session, radix: 16))
    expect(session != 0, "the session has no number")
    add(.pid, Int(pid))
    let known = RingState(rawValue: state)
    add(.state, known.map { "\($0)" } ?? "\(state)")
    expect(known != nil, "the state is \(state), and states are 1 to 4")
  }

  /// Notes an orientation, which must be 1…8.
  mutating func addOrientation(_ value: Int) {
    add(.orientation, value)
    expect((1...8).contains(value), "the orientation is \(value), and orientations are 1 to 8")
  }

  /// How the picture must be turned; upright where the file says nothing that can be true.
  private var orientation: CGImagePropertyOrientation {
    guard case .integer(let value) = value(.orientation), let raw = UInt32(exactly: value) else { return .up }
    return CGImagePropertyOrientation(rawValue: raw) ?? .up
  }
}

extension Inspection {
  /// What a person reads: the format, a line for each field, and the note.
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

  /// Writes the picture when that is asked for, and throws when something is wrong with the file.
  @MainActor
  package func check(path: String, snapshot: String?) throws(ProgramFailure) {
    var (picture, whyNoPicture) = (picture, whyNoPicture)
    if snapshot != nil, picture == nil, let jpeg {
      do throws(JPEGPicture.Failure) { picture = try JPEGPicture.decode(jpeg) } catch {
        whyNoPicture = "\(error)"
      }
    }
    if let snapshot, let picture {
      let output = try SnapshotOutput(path: snapshot)
      try output.write(picture, rotation: PictureRotation(RTCVideoRotation(orientation)))
    }
    guard isWellFormed else {
      throw ProgramFailure(.verificationFailed, "\(path): \(problems.joined(separator: "; ")).")
    }
    if let snapshot, picture == nil {
      throw ProgramFailure(.cannotCreate, "\(snapshot) is not written: \(whyNoPicture).")
    }
  }
}
