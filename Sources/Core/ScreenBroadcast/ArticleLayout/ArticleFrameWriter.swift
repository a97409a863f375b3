import CoreVideo
import Platform
import SharedMemory

/// Writes the frames of the article's layout in the extension: each frame over the previous one, while readers may read it.
///
/// ```swift
/// let frames = try ArticleFrameWriter(path: path, width: 1170, height: 2532)
/// try frames.write(pixelBuffer, orientation: 1)
/// try frames.finish()
/// ```
/// Only one thread at a time may write.
final class ArticleFrameWriter {
  private let path: String
  private var file: MappedFile

  /// Creates the file of 10 MiB, replacing an orphaned one. Throws `doesNotFit` if frames of this size (in pixels) do not fit.
  init(path: String, width: Int, height: Int) throws(FileError) {
    let byteCount = PixelBufferSerializer.serializedSize(width: width, height: height)
    guard byteCount <= ArticleLayout.mappingByteCount else {
      throw FileError(.doesNotFit(width: width, height: height), path)
    }
    self.path = path
    file = try Self.makeFile(path)
  }

  /// Overwrites the previous frame. It neither notifies readers nor waits for them.
  /// - Returns: why the frame was dropped; `nil` if it was written.
  @discardableResult
  func write(_ pixelBuffer: CVPixelBuffer, orientation: UInt32) throws(FileError) -> String? {
    let layout: ArticleLayout
    do { layout = try ArticleLayout(of: pixelBuffer, orientation: orientation) } catch {
      return error.description
    }
    guard layout.byteCount <= ArticleLayout.mappingByteCount else {
      return FileError(.doesNotFit(width: layout.width, height: layout.height), path).description
    }
    if file.isLost || !file.isIntact(at: path) { file = try Self.makeFile(path) }
    file.withMutableBytes(0..<file.byteCount) { layout.write(pixelBuffer, into: &$0) }
    return nil
  }

  /// Removes the file.
  func finish() throws(FileError) { try file.removeFromPlace(path) }

  private static func makeFile(_ path: String) throws(FileError) -> MappedFile {
    let file = try MappedFile(creatingFor: path, byteCount: ArticleLayout.mappingByteCount)
    try file.moveIntoPlace(path)
    return file
  }
}
