import CoreVideo
import Foundation
import PixelAccess

/// Reads the frames of a YUV4MPEG2 stream from a file, a FIFO or standard input.
///
/// ```swift
/// let reader = try Y4MReader(path: "clip.y4m")
/// while try reader.readFrame(into: pixelBuffer) { show(pixelBuffer) }
/// ```
///
/// The bytes come in whole frames into one reused buffer. To be used from one thread at a time.
public final class Y4MReader {
  /// What the stream says about its frames.
  public let header: Y4MHeader
  /// Whether ``rewind()`` works: not on pipes and terminals.
  public let isSeekable: Bool
  /// The number of the frame that comes next, from 0.
  public private(set) var nextFrame = 0

  /// The bytes of the buffer that frames are read into, all of them in memory.
  package var bufferByteCount: Int { buffer.count }

  private let name: String
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  /// Where in the file the stream began and the first frame begins.
  private let firstFrameOffset: Int64
  private var buffer: [UInt8]
  /// The bytes of `buffer` that were read and not used yet.
  private var available: Range<Int>

  private static let frameWord = Array("FRAME".utf8)
  private static let lineFeed = UInt8(ascii: "\n")

  /// Opens a file or FIFO, or standard input for "-", and reads the header. On a FIFO this waits for a writer.
  public convenience init(path: String) throws(Error) {
    if path == "-" {
      try self.init(descriptor: 0, name: "standard input", ownsDescriptor: false)
    } else {
      // UNSAFE: a C call; the path is valid during it.
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .open(path: path, errno: errno) }
      try self.init(descriptor: descriptor, name: path, ownsDescriptor: true)
    }
  }

  private init(descriptor: Int32, name: String, ownsDescriptor: Bool) throws(Error) {
    do throws(Error) {
      var status = stat()
      // UNSAFE: a C call that fills the structure it is given.
      if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
        throw .open(path: name, errno: EISDIR)
      }
      let origin = Int64(lseek(descriptor, 0, SEEK_CUR))
      var start = [UInt8](repeating: 0, count: Y4MHeader.maximumLineLength + 1)
      let (length, filled) = try Self.readHeaderLine(descriptor, name: name, into: &start)
      do {
        header = try Y4MHeader(line: String(decoding: start[..<length], as: UTF8.self))
      } catch {
        throw .header(path: name, error)
      }
      isSeekable = origin >= 0
      firstFrameOffset = origin + Int64(length + 1)
      // One frame, its line, and as much of what follows as the header's read may have brought along.
      buffer = [UInt8](repeating: 0, count: header.frameByteCount + 2 * start.count)
      available = 0..<filled - length - 1
      buffer.replaceSubrange(available, with: start[length + 1..<filled])
    } catch {
      if ownsDescriptor { close(descriptor) }
      throw error
    }
    self.descriptor = descriptor
    self.name = name
    self.ownsDescriptor = ownsDescriptor
  }

  deinit {
    if ownsDescriptor { close(descriptor) }
  }

  /// Reads the next frame into a '420f' or '420v' buffer of the clip's size; samples are brought to the
  /// buffer's range.
  ///
  /// - Returns: Whether there was a frame; false at the end of the stream.
  public func readFrame(into pixelBuffer: CVPixelBuffer) throws(Error) -> Bool {
    guard let range = SampleRange(pixelFormat: CVPixelBufferGetPixelFormatType(pixelBuffer)),
      pixelBuffer.planeShape(0).width == header.width, pixelBuffer.planeShape(0).height == header.height,
      pixelBuffer.planeShape(1).width == header.chromaWidth,
      pixelBuffer.planeShape(1).height == header.chromaHeight
    else { throw .pixelBuffer(path: name, width: header.width, height: header.height) }

    guard let lineLength = try readFrameLine() else { return false }
    let frameStart = lineLength + 1
    guard try fill(to: frameStart + header.frameByteCount) else {
      throw .truncated(path: name, frame: nextFrame)
    }
    let start = available.lowerBound + frameStart
    unpack(from: start, into: pixelBuffer, range: range)
    available = start + header.frameByteCount..<available.upperBound
    nextFrame += 1
    return true
  }

  /// Goes back to the first frame. Throws `.notSeekable` on pipes and terminals.
  public func rewind() throws(Error) {
    guard isSeekable else { throw .notSeekable(path: name) }
    guard lseek(descriptor, off_t(firstFrameOffset), SEEK_SET) >= 0 else {
      throw .read(path: name, errno: errno)
    }
    available = 0..<0
    nextFrame = 0
  }

  private func unpack(from start: Int, into pixelBuffer: CVPixelBuffer, range: SampleRange) {
    let header = header
    let tables = ColourConversion.rangeTables(from: header.range, to: range)
    // The same bytes under another name, not a copy: a span of a property cannot be lent to a closure.
    let bytes = buffer
    pixelBuffer.writePlane(0) { plane, shape in
      let source = bytes.span.extracting(start..<(start + header.width * header.height))
      plane.copyRows(header.height, of: source, every: header.width, toEvery: shape.bytesPerRow)
      guard let tables else { return }
      for row in 0..<header.height {
        let first = row * shape.bytesPerRow
        plane.translate(first..<first + header.width, by: tables.luma)
      }
    }
    pixelBuffer.writePlane(1) { plane, shape in
      let source = bytes.span
      let cb = start + header.width * header.height
      let cr = cb + header.chromaWidth * header.chromaHeight
      for row in 0..<header.chromaHeight {
        let (from, to) = (row * header.chromaWidth, row * shape.bytesPerRow)
        plane.interleave(
          source, at: cb + from, source, at: cr + from, count: header.chromaWidth, to: to)
        if let tables { plane.translate(to..<to + header.chromaWidth * 2, by: tables.chroma) }
      }
    }
  }

  /// Makes the next frame's line available and returns its length; `nil` at the end of the stream.
  private func readFrameLine() throws(Error) -> Int? {
    guard try fill(to: 1) else { return nil }
    guard try fill(to: Self.frameWord.count + 1) else { throw .truncated(path: name, frame: nextFrame) }
    let word = available.lowerBound..<available.lowerBound + Self.frameWord.count
    guard Array(buffer[word]) == Self.frameWord else { throw .frameLine(path: name, frame: nextFrame) }
    guard [Self.lineFeed, UInt8(ascii: " ")].contains(buffer[word.upperBound]) else {
      throw .frameLine(path: name, frame: nextFrame)
    }
    var length = Self.frameWord.count
    while buffer[available.lowerBound + length] != Self.lineFeed {
      length += 1
      guard length <= Y4MHeader.maximumLineLength else { throw .frameLine(path: name, frame: nextFrame) }
      guard try fill(to: length + 1) else { throw .truncated(path: name, frame: nextFrame) }
    }
    return length
  }

  /// Makes at least `count` unused bytes available; false when the stream ends before.
  private func fill(to count: Int) throws(Error) -> Bool {
    guard available.count < count else { return true }
    if available.lowerBound > 0 {
      let (unused, kept) = (available, available.count)
      var span = buffer.mutableSpan
      span.copyWithin(unused, to: 0)
      available = 0..<kept
    }
    while available.count < count {
      do {
        let read = try FileDescriptorIO.read(descriptor, into: &buffer, available.upperBound..<buffer.count)
        guard read > 0 else { return false }
        available = 0..<available.upperBound + read
      } catch {
        throw .read(path: name, errno: error.errno)
      }
    }
    return true
  }

  /// Reads until the first line is complete. Returns the length of the line and of everything read.
  private static func readHeaderLine(
    _ descriptor: Int32, name: String, into start: inout [UInt8]
  ) throws(Error) -> (length: Int, filled: Int) {
    let magic = Array(Y4MHeader.magic.utf8)
    var filled = 0
    while filled < start.count {
      let read: Int
      do {
        read = try FileDescriptorIO.read(descriptor, into: &start, filled..<start.count)
      } catch {
        throw .read(path: name, errno: error.errno)
      }
      let line = start[..<(filled + read)].firstIndex(of: lineFeed)
      filled += read
      // Say so at once when it cannot become a header: a terminal or a FIFO may never end.
      guard start[..<min(filled, magic.count)].elementsEqual(magic.prefix(filled)), filled > 0 else {
        throw .header(path: name, .notY4M)
      }
      if let line { return (line, filled) }
      guard read > 0 else {
        throw filled < magic.count ? .header(path: name, .notY4M) : .truncatedHeader(path: name)
      }
    }
    throw .header(path: name, .lineTooLong)
  }
}
