import CoreVideo
import PictureFormats
import PixelAccess
import Platform
import SharedMemory

/// A file of these bytes, read as a clip, twice.
package struct Y4MTarget: FuzzTarget {
  package static let name = "y4m"

  private let path: String
  /// Larger frames only cost time: no input is long enough to hold one.
  private static let largestFrame = 1 << 20

  package init(folder: String) { path = folder + "/clip.y4m" }

  package func run(_ bytes: [UInt8]) throws {
    guard try isWorthReading(bytes) else { return }
    try PlainFile.replace(path, with: bytes)
    let reader: Y4MReader
    do throws(Y4MReader.Error) { reader = try Y4MReader(path: path) } catch {
      return try require(!error.description.isEmpty, "an error without words")
    }
    let first = try frames(of: reader)
    try reader.rewind()
    try require(try frames(of: reader) == first, "another clip after going back")
  }

  /// Whether frames may be in it, or its header is none.
  private func isWorthReading(_ bytes: [UInt8]) throws(FuzzFinding) -> Bool {
    let header: Y4MHeader
    let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    do throws(Y4MHeader.Error) { header = try Y4MHeader(line: line) } catch { return true }
    let again: Y4MHeader?
    do throws(Y4MHeader.Error) { again = try Y4MHeader(line: header.line) } catch { again = nil }
    try require(again == header, "'\(header.line)' is another header")
    return header.frameByteCount <= Self.largestFrame
  }

  /// How many frames there are, and how they end.
  private func frames(of reader: Y4MReader) throws -> [String] {
    let picture = try PixelBufferPool(
      width: reader.header.width, height: reader.header.height,
      pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    ).makeBuffer()
    do throws(Y4MReader.Error) {
      while try reader.readFrame(into: picture) {}
      return ["\(reader.nextFrame)"]
    } catch {
      return ["\(reader.nextFrame)", "\(error)"]
    }
  }
}
