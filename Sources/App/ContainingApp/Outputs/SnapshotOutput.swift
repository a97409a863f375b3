import CommandLineSupport
import CoreVideo
import Foundation
import PictureFormats
import Platform
import ReplayKit
import WebRTC

/// Writes the last frame upright as a PNG file.
package final class SnapshotOutput: NSObject, VideoOutput {
  private let path: String
  private var last: RTCVideoFrame?

  /// An output into the file at `path`, which is written at the end. Throws if its folder cannot be written.
  package init(path: String) throws(ProgramFailure) {
    self.path = path
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard FileManager.default.isWritableFile(atPath: folder) else {
      let isThere = FileManager.default.fileExists(atPath: folder)
      throw ProgramFailure(
        errno: isThere ? EACCES : ENOENT,
        "\(path) cannot be written: its folder \(isThere ? "is not writable" : "does not exist"); "
          + "name another file.")
    }
    super.init()
  }

  package nonisolated func renderFrame(_ frame: RTCVideoFrame?) {
    MainActor.assumeIsolated { last = frame ?? last }
  }

  /// Writes the last frame, if there was one.
  package func finish() throws(ProgramFailure) {
    guard let last, let pixelBuffer = last.pixelBuffer else { return }
    try write(pixelBuffer, rotation: PictureRotation(last.rotation))
  }

  /// Writes a frame. Throws if the file would replace a device or a folder.
  package func write(_ pixelBuffer: CVPixelBuffer, rotation: PictureRotation) throws(ProgramFailure) {
    let kind: FileStatus.Kind?
    // The write reports the same error.
    do { kind = try FileStatus.look(at: path)?.kind } catch { kind = nil }
    guard [nil, .plainFile, .symbolicLink].contains(kind) else {
      throw ProgramFailure(
        .cannotCreate, "\(path) is not a plain file, which a snapshot would replace; name another file.")
    }
    do {
      try PNGEncoder.write(pixelBuffer, rotation: rotation, to: path)
    } catch {
      throw ProgramFailure(error.errno.map { ExitCode(errno: $0) } ?? .inputOutput, "\(error).")
    }
  }
}

extension PictureRotation {
  /// The rotation with which the call shows frames of an orientation.
  package init(_ orientation: CGImagePropertyOrientation) { self.init(RTCVideoRotation(orientation)) }

  init(_ rotation: RTCVideoRotation) {
    self =
      switch rotation {
      case ._0: .none
      case ._90: .quarter
      case ._180: .half
      case ._270: .threeQuarters
      }
  }
}
