import CoreVideo
import Platform
import SharedMemory

/// The extension's end of the article's layout: writes each frame over the one before, while readers may read it.
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

  /// Makes the file of 10 MiB, in place of an orphaned one. Throws `doesNotFit` when frames of the size, in pixels, do
  /// not fit.
  init(path: String, width: Int, height: Int) throws(FileError) {
    let byteCount = PixelBufferSerializer.serializedSize(width: width, height: height)
    guard byteCount <= ArticleLayout.mappingByteCount else {
      throw FileError(.doesNotFit(width: width, height: height), path)
    }
    self.path = path
    file = try Self.makeFile(path)
  }

  /// Writes a frame over the one before. It neither notifies nor waits for readers.
  /// - Returns: why the frame is left out; `nil` when it is written.
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
