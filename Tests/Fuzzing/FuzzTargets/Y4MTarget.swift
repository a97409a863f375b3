import CoreVideo
import PictureFormats
import PixelAccess
import Platform
import SharedMemory

/// Reads the bytes as a clip, twice.
package struct Y4MTarget: FuzzTarget {
  package static let name = "y4m"

  private let path: String
  /// In bytes. No input is long enough for a larger frame, so clips with larger frames are not worth the time.
  private static let largestFrame = 1 << 20

  package init(folder: String) { path = folder + "/clip.y4m" }

  package func run(_ bytes: [UInt8]) throws {
    guard try isWorthReading(bytes) else { return }
    try PlainFile.replace(path, with: bytes)
    let reader: Y4MReader
    do throws(Y4MReader.Error) { reader = try Y4MReader(path: path) } catch {
      return try require(!error.description.isEmpty, "an error without text")
    }
    let first = try frames(of: reader)
    try reader.rewind()
    try require(try frames(of: reader) == first, "other frames after the rewind")
  }

  /// Whether the header is invalid, or its frames are small enough for the input.
  private func isWorthReading(_ bytes: [UInt8]) throws(FuzzFinding) -> Bool {
    let header: Y4MHeader
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    do throws(Y4MHeader.Error) { header = try Y4MHeader(line: line) } catch { return true }
    let again: Y4MHeader?
    do throws(Y4MHeader.Error) { again = try Y4MHeader(line: header.line) } catch { again = nil }
    try require(again == header, "'\(header.line)' is read as another header")
    return header.frameByteCount <= Self.largestFrame
  }

  /// Returns the number of frames, and the error that ended the clip (if any).
  private func frames(of reader: Y4MReader) throws -> [String] {
    let frame = try PixelBufferPool(
      width: reader.header.width, height: reader.header.height,
      pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    ).makeBuffer()
    do throws(Y4MReader.Error) {
      while try reader.readFrame(into: frame) {}
      return ["\(reader.nextFrame)"]
    } catch {
      return ["\(reader.nextFrame)", "\(error)"]
    }
  }
}
