import CoreMedia
import CoreVideo
import Foundation
import PixelAccess
import Platform
import SharedMemory

/// The extension's end of the article's layout: writes each frame over the one before, while readers may read it.
///
/// ```swift
/// let frames = try ArticleFrameWriter(path: path, width: 1170, height: 2532)
/// try frames.write(pixelBuffer, orientation: 1)
/// try frames.finish(error: nil)
/// ```
/// Only one thread at a time may write.
final class ArticleFrameWriter: BroadcastFrameWriter {
  /// Not in the file: readers of this layout see no pauses.
  var isPaused = false
  private let path: String
  private var file: MappedFile
  private var failure = ReportedReason<Failure>()

  /// Makes the file of 10 MiB, in place of an orphaned one. Throws ``Failure/tooLarge(width:height:)`` when frames of the
  /// size, in pixels, do not fit.
  init(path: String, width: Int, height: Int) throws(Failure) {
    let byteCount = PixelBufferSerializer.serializedSize(width: width, height: height)
    guard byteCount <= ArticleLayout.mappingByteCount else {
      throw .tooLarge(width: width, height: height)
    }
    self.path = path
    file = try Self.makeFile(path)
  }

  func publish(_ sample: CMSampleBuffer) throws -> String? {
    guard let pixelBuffer = CMSampleBufferGetImageBuffer(sample) else { return nil }
    do throws(Failure) {
      try write(pixelBuffer, orientation: sample.orientationNumber ?? 1)
    } catch {
      if case .file = error { throw error }
      return failure.changes(to: error) ? "A frame is left out: \(error)" : nil
    }
    return nil
  }

  /// Writes a frame over the one before. It neither notifies nor waits for readers.
  func write(_ pixelBuffer: CVPixelBuffer, orientation: UInt32) throws(Failure) {
    let layout: ArticleLayout
    do { layout = try ArticleLayout(of: pixelBuffer, orientation: orientation) } catch {
      throw .frame(error)
    }
    guard layout.byteCount <= ArticleLayout.mappingByteCount else {
      throw .tooLarge(width: layout.width, height: layout.height)
    }
    if file.isLost || !file.isIntact(at: path) { file = try Self.makeFile(path) }
    file.withMutableBytes(0..<file.byteCount) { layout.write(pixelBuffer, into: &$0) }
  }

  func finish(error: RingSessionError?) throws(FileError) { try file.removeFromPlace(path) }

  private static func makeFile(_ path: String) throws(Failure) -> MappedFile {
    do throws(FileError) {
      let file = try MappedFile(creatingFor: path, byteCount: ArticleLayout.mappingByteCount)
      try file.moveIntoPlace(path)
      return file
    } catch {
      throw .file(error)
    }
  }
}

extension ArticleFrameWriter {
  /// Why a frame is not written.
  enum Failure: Error, Equatable, Sendable, CodedError {
    /// The file cannot be made.
    case file(FileError)
    case frame(PixelBufferSerializer.Failure)
    /// The frame has more bytes than the mapping.
    case tooLarge(width: Int, height: Int)

    var code: Int32 {
      switch self {
      case .file(let error): error.code
      case .frame: EINVAL
      case .tooLarge: ENOSPC
      }
    }

    /// One sentence: what is wrong, and the remedy.
    var description: String {
      switch self {
      case .file(let error): error.description
      case .frame(let error): error.description
      case .tooLarge(let width, let height):
        "frames of \(width)x\(height) do not fit into the 10 MiB of the article's layout; choose a smaller size or "
          + "the layout 'ring'"
      }
    }
  }
}
