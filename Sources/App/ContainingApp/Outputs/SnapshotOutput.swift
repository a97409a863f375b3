import CommandLineSupport
import CoreVideo
import Foundation
import PictureFormats
import PixelAccess
import Platform
import ReplayKitCore
import WebRTC

/// Writes the last frame, rotated upright, to a PNG file or to stdout.
package final class SnapshotOutput: NSObject, VideoOutput {
  private let path: String
  private var last: RTCVideoFrame?

  /// Creates an output that is written at the end, to the file at `path` (`-`: stdout).
  package init(path: String) {
    self.path = path
    super.init()
  }

  package nonisolated func renderFrame(_ frame: RTCVideoFrame?) {
    MainActor.assumeIsolated { last = frame ?? last }
  }

  /// Writes the last frame, if there was one. Throws if the file would replace a device or a folder.
  package func finish() throws(ProgramFailure) {
    guard let last, let pixelBuffer = last.pixelBuffer else { return }
    let rotation = PictureRotation(last.rotation)
    if path != "-" { try checkKind() }
    let file: Data
    do throws(PNGEncoder.Error) {
      guard path == "-" else { return try PNGEncoder.write(pixelBuffer, rotation: rotation, to: path) }
      file = try PNGEncoder.encode(pixelBuffer, rotation: rotation)
    } catch {
      throw ProgramFailure(error.errno.map { ExitCode(errno: $0) } ?? .inputOutput, "\(error).")
    }
    do throws(FileError) { try System.writeStream([UInt8](file), to: STDOUT_FILENO) } catch {
      throw ProgramFailure(errno: error.code, "The snapshot cannot be written (\(error.errno)).")
    }
  }

  private func checkKind() throws(ProgramFailure) {
    let kind: FileStatus.Kind?
    // If this fails, the write reports the same error.
    do { kind = try FileStatus.read(at: path)?.kind } catch { kind = nil }
    guard [nil, .plainFile, .symbolicLink].contains(kind) else {
      throw ProgramFailure(
        .cannotCreate, "\(path) is not a plain file, and a snapshot would replace it; name another file.")
    }
  }
}

extension PictureRotation {
  package init(_ rotation: RTCVideoRotation) { self = PictureRotation(rawValue: rotation.rawValue) ?? .none }
}
