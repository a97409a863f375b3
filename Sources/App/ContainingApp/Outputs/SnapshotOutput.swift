import CommandLineSupport
import CoreVideo
import Foundation
import PictureFormats
import ReplayKit
import WebRTC

/// Writes the last frame as an upright PNG picture.
package final class SnapshotOutput: VideoOutput {
  private let path: String
  private var last: RTCVideoFrame?

  /// An output into the file at `path`, which is written at the end; that it can be is looked at now.
  package init(path: String) throws(ProgramFailure) {
    self.path = path
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else {
      let isThere = FileManager.default.fileExists(atPath: folder)
      throw ProgramFailure(
        errno: isThere ? EACCES : ENOENT,
        "\(path) cannot be written: its folder \(isThere ? "may not be written to" : "is not there"); "
          + "name another file.")
    }
  }

  /// Nothing fails before the end.
  package var failure: ProgramFailure? { nil }

  /// Keeps the frame until the next one comes.
  package func show(_ frame: RTCVideoFrame) { last = frame }

  /// Writes the picture, if a frame came.
  package func finish() throws(ProgramFailure) {
    guard let last, let pixelBuffer = last.pixelBuffer else { return }
    try write(pixelBuffer, rotation: PictureRotation(last.rotation))
  }

  /// Writes a picture that comes from elsewhere.
  package func write(_ pixelBuffer: CVPixelBuffer, rotation: PictureRotation) throws(ProgramFailure) {
    try checkNothingSpecialIsReplaced()
    do {
      try PNGEncoder.write(pixelBuffer, rotation: rotation, to: path)
    } catch {
      throw ProgramFailure(error.errno.map { ExitCode(errno: $0) } ?? .inputOutput, "\(error).")
    }
  }

  /// The picture takes the place of what is at the path: of a file, but not of a device or a folder.
  private func checkNothingSpecialIsReplaced() throws(ProgramFailure) {
    let attributes: [FileAttributeKey: Any]
    do { attributes = try FileManager.default.attributesOfItem(atPath: path) } catch {
      return  // What cannot be looked at is not there, or is told by the writing.
    }
    switch attributes[.type] as? FileAttributeType {
    case nil, .typeRegular, .typeSymbolicLink: break
    default:
      throw ProgramFailure(
        .cannotCreate, "\(path) is not a plain file, and a snapshot takes its place; name another file.")
    }
  }
}

extension PictureRotation {
  /// The rotation with which the call shows frames of an orientation.
  package init(_ orientation: CGImagePropertyOrientation) { self.init(RTCVideoRotation(orientation)) }

  package init(_ rotation: RTCVideoRotation) {
    self =
      switch rotation {
      case ._0: .none
      case ._90: .quarter
      case ._180: .half
      case ._270: .threeQuarters
      }
  }
}
