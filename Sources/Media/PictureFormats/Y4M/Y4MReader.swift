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
/// Reads whole frames into one reused buffer. For one thread at a time.
public final class Y4MReader {
  /// The header of the stream.
  public let header: Y4MHeader
  /// Whether ``rewind()`` is possible: not on pipes and terminals.
  public let isSeekable: Bool
  /// The number of the next frame, from 0.
  public private(set) var nextFrame = 0

  /// The size of the frame buffer, in bytes.
  package var bufferByteCount: Int { buffer.count }

  private let name: String
  private let descriptor: Int32
  private let ownsDescriptor: Bool
  /// The offset of the first frame in the file, in bytes.
  private let firstFrameOffset: Int64
  private var buffer: [UInt8]
  /// The unused bytes of `buffer`.
  private var available: Range<Int>

  private static let frameWord = Array("FRAME".utf8)
  private static let lineFeed = UInt8(ascii: "\n")

  /// Opens a file or FIFO, or standard input for "-", and reads the header. A FIFO waits for its writer.
  public convenience init(path: String) throws(Error) {
    if path == "-" {
      try self.init(descriptor: 0, name: "standard input", ownsDescriptor: false)
    } else {
      // UNSAFE: the path is valid for the C call.
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw .open(path: path, errno: errno) }
      try self.init(descriptor: descriptor, name: path, ownsDescriptor: true)
    }
  }

  private init(descriptor: Int32, name: String, ownsDescriptor: Bool) throws(Error) {
    do throws(Error) {
      var status = stat()
      // UNSAFE: the C call fills a local variable.
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
      // One frame, its line, and the bytes that were read together with the header.
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

  /// Reads the next frame into a 420f or 420v buffer of the clip's size and converts samples to its range.
  ///
  /// - Returns: `false` at the end of the stream.
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

  /// Returns to the first frame. Throws `.notSeekable` on pipes and terminals.
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
    // Not a copy: a closure cannot borrow the span of a property.
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

  /// Reads the next frame's line and returns its length, or `nil` at the end of the stream.
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

  /// Reads until `count` unused bytes are available; `false` when the stream ends before.
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

  /// Reads the first line. Returns its length and the number of bytes read.
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
      // Fail as soon as it cannot be a header: a terminal or a FIFO may never end.
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

extension Y4MReader {
  /// An error of the reader.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The file cannot be opened; `EISDIR` for a directory.
    case open(path: String, errno: Int32)
    /// A read failed.
    case read(path: String, errno: Int32)
    /// The first line is not a supported header.
    case header(path: String, Y4MHeader.Error)
    /// The stream ends within its first line.
    case truncatedHeader(path: String)
    /// The stream ends within a frame, counted from 0.
    case truncated(path: String, frame: Int)
    /// A frame, counted from 0, does not begin with `FRAME`.
    case frameLine(path: String, frame: Int)
    /// The stream cannot return to its start.
    case notSeekable(path: String)
    /// The pixel buffer is not 420f or 420v of the clip's size.
    case pixelBuffer(path: String, width: Int, height: Int)

    /// The system's error number, when a system call failed.
    public var errno: Int32? {
      switch self {
      case .open(_, let errno), .read(_, let errno): errno
      default: nil
      }
    }

    /// One sentence with the cause and the remedy.
    public var description: String {
      switch self {
      case .open(let path, ENOENT):
        "\(path) does not exist; name a Y4M file, or - for standard input"
      case .open(let path, EISDIR):
        "\(path) is a directory; name a Y4M file in it"
      case .open(let path, EACCES):
        "\(path) may not be read by this user; change its permissions or name another Y4M file"
      case .open(let path, let errno):
        "\(path) cannot be opened (\(FileDescriptorIO.text(errno))); name a Y4M file, or - for standard input"
      case .read(let path, let errno):
        "\(path) cannot be read (\(FileDescriptorIO.text(errno))); check the disk or the writing program"
      case .header(let path, .notY4M):
        "\(path) is not a Y4M stream; create one with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .header(let path, let error):
        "\(path) cannot be read: \(error)"
      case .truncatedHeader(let path):
        "\(path) ends within its header line; copy it again or let its writer finish"
      case .truncated(let path, let frame):
        "\(path) ends within frame \(frame); copy it again or let its writer finish"
      case .frameLine(let path, let frame):
        "\(path) has no FRAME line where frame \(frame) begins; "
          + "create it again with: ffmpeg -i INPUT -pix_fmt yuv420p out.y4m"
      case .notSeekable(let path):
        "\(path) cannot be played again from its start; save it to a file to loop it"
      case .pixelBuffer(let path, let width, let height):
        "the frames of \(path) need a pixel buffer of 420f or 420v and \(width)x\(height)"
      }
    }
  }
}
