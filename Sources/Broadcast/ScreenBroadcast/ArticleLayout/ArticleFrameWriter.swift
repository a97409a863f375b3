import CoreVideo
import Foundation
import PixelAccess
import Platform
import SharedMemory

/// The extension's end of the article's layout: each frame over the one before, while readers may be in it.
///
/// ```swift
/// let frames = try ArticleFrameWriter(path: path, width: 1170, height: 2532)
/// try frames.publish(pixelBuffer, orientation: 1)
/// try frames.finish()
/// ```
/// One thread at a time writes.
final class ArticleFrameWriter {
  /// The run of the extension. The file does not say it.
  let session: RingSession
  private let path: String
  private var file: UnsynchronisedFile

  /// Makes the file, of 10 MiB, in place of one that was left behind.
  /// - Parameters:
  ///   - width: of the frames to come, in pixels. They must fit into the mapping.
  ///   - height: of the frames to come, in pixels.
  init(path: String, width: Int, height: Int, session: RingSession) throws(Failure) {
    let byteCount = PixelBufferSerializer.serializedSize(width: width, height: height)
    guard byteCount <= ArticleLayout.mappingByteCount else {
      throw .tooLarge(width: width, height: height)
    }
    self.path = path
    self.session = session
    file = try Self.makeFile(path)
  }

  /// Writes a frame over the one before. Nobody is told, and nobody is waited for.
  func publish(_ pixelBuffer: CVPixelBuffer, orientation: UInt32) throws(Failure) {
    let layout: ArticleLayout
    do { layout = try ArticleLayout(of: pixelBuffer, orientation: orientation) } catch {
      throw .picture(error)
    }
    guard layout.byteCount <= ArticleLayout.mappingByteCount else {
      throw .tooLarge(width: layout.width, height: layout.height)
    }
    if !file.isIntact { file = try Self.makeFile(path) }
    file.withMutableBytes { bytes in
      layout.write(to: &bytes)
      for (index, plane) in layout.planes.enumerated() {
        pixelBuffer.readPlane(index) { source, _ in
          bytes.copy(source.extracting(0..<plane.shape.byteCount), to: plane.offset)
        }
      }
    }
  }

  /// Removes the file.
  func finish() throws(StorageError) { try file.remove() }

  private static func makeFile(_ path: String) throws(Failure) -> UnsynchronisedFile {
    do { return try UnsynchronisedFile(path: path, byteCount: ArticleLayout.mappingByteCount) } catch {
      throw .storage(error)
    }
  }
}

extension ArticleFrameWriter {
  /// Why a frame is not written.
  enum Failure: Error, Equatable, Sendable {
    /// The file cannot be made.
    case storage(StorageError)
    /// The pixel buffer does not travel.
    case picture(PixelBufferSerializer.Failure)
    /// The frame has more bytes than the mapping.
    case tooLarge(width: Int, height: Int)
  }
}

extension ArticleFrameWriter.Failure: CodedError {
  /// The nearest `errno`.
  var code: Int32 {
    switch self {
    case .storage(let error): error.code
    case .picture: EINVAL
    case .tooLarge: ENOSPC
    }
  }

  /// One sentence: what is wrong, and the way out.
  var description: String {
    switch self {
    case .storage(let error): error.description
    case .picture(let error): error.description
    case .tooLarge(let width, let height):
      "frames of \(width)x\(height) do not fit into the 10 MiB of the article's layout; choose a smaller size or the "
        + "layout 'ring'"
    }
  }
}
