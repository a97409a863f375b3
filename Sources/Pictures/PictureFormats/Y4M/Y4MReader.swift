import CoreVideo
import Foundation
import PixelAccess
import Platform

/// Reads the frames of a YUV4MPEG2 stream from a file, a FIFO or stdin.
///
/// ```swift
/// let reader = try Y4MReader(path: "clip.y4m")
/// while try reader.readFrame(into: pixelBuffer) { show(pixelBuffer) }
/// ```
///
/// It reads complete frames into a single reused buffer. Not thread-safe: use it from one thread at a time.
package final class Y4MReader {
  package let header: Y4MHeader
  /// Whether ``rewind()`` is possible (not for pipes and terminals).
  package let isSeekable: Bool
  /// The number of the next frame, counted from 0.
  package private(set) var nextFrame = 0

  /// The size of the frame buffer, in bytes.
  package var bufferByteCount: Int { max(header.frameByteCount, Y4MHeader.maximumLineLength + 1) }

  private let name: String
  /// Closes the descriptor together with the reader, except for stdin.
  private let file: FileHandle
  private var input: BufferedInput
  /// The offset of the first frame in the file, in bytes.
  private let firstFrameOffset: Int64

  /// Opens a file or FIFO (or stdin for "-"), and reads the header. Opening a FIFO blocks until it has a writer.
  package init(path: String) throws(Error) {
    name = path == "-" ? "stdin" : path
    if path == "-" {
      file = FileHandle(fileDescriptor: 0, closeOnDealloc: false)
    } else {
      do throws(FileError) {
        // UNSAFE: the path is valid for the C call.
        let descriptor = try System.retrying("open", path) { unsafe open(path, O_RDONLY | O_CLOEXEC) }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      } catch {
        throw .open(path: path, errno: error.code)
      }
    }
    input = BufferedInput(descriptor: file.fileDescriptor)
    let origin = Int64(lseek(input.descriptor, 0, SEEK_CUR))
    let line: BufferedInput.Line
    do { line = try input.findLine(Array(Y4MHeader.magic.utf8)) } catch {
      throw error.errno == .isDirectory
        ? .open(path: name, errno: error.code) : .read(path: name, errno: error.code)
    }
    switch line {
    case .line(let length):
      do {
        header = try Y4MHeader(
          line: String(decoding: input.bytes[input.available.prefix(length)], as: UTF8.self))
      } catch {
        throw .header(path: name, error)
      }
      input.skip(length + 1)
      isSeekable = origin >= 0
      firstFrameOffset = origin + Int64(length + 1)
    case .end(let count) where count >= Y4MHeader.magic.utf8.count: throw .truncatedHeader(path: name)
    case .end, .otherWord: throw .header(path: name, .notY4M)
    case .tooLong: throw .header(path: name, .lineTooLong)
    }
  }

  /// Reads the next frame into a 420f or 420v buffer of the clip's size, and converts its samples to the buffer's range.
  ///
  /// - Returns: `false` at the end of the stream.
  package func readFrame(into pixelBuffer: CVPixelBuffer) throws(Error) -> Bool {
    guard let range = SampleRange(pixelFormat: CVPixelBufferGetPixelFormatType(pixelBuffer)),
      header.hasSize(of: pixelBuffer)
    else { throw .pixelBuffer(path: name, width: header.width, height: header.height) }
    var line: BufferedInput.Line
    do throws(FileError) {
      line = try input.findLine(Array("FRAME".utf8))
      if case .line(let length) = line {
        input.skip(length + 1)
        if try !input.fill(to: header.frameByteCount) { line = .end(after: length) }
      }
    } catch {
      throw .read(path: name, errno: error.code)
    }
    switch line {
    case .end(after: 0): return false
    case .end: throw .truncated(path: name, frame: nextFrame)
    case .otherWord, .tooLong: throw .frameLine(path: name, frame: nextFrame)
    case .line: break
    }
    unpack(into: pixelBuffer, range: range)
    input.skip(header.frameByteCount)
    nextFrame += 1
    return true
  }

  /// Rewinds to the first frame. Throws `.notSeekable` for pipes and terminals.
  package func rewind() throws(Error) {
    guard isSeekable else { throw .notSeekable(path: name) }
    guard lseek(input.descriptor, off_t(firstFrameOffset), SEEK_SET) >= 0 else {
      throw .read(path: name, errno: errno)
    }
    input.discard()
    nextFrame = 0
  }

  private func unpack(into pixelBuffer: CVPixelBuffer, range: SampleRange) {
    let header = header
    let tables = header.range.tables(to: range)
    // This does not copy: a closure cannot borrow the span of a property.
    let (bytes, start) = (input.bytes, input.available.lowerBound)
    let cb = start + header.width * header.height
    let cr = cb + header.chromaWidth * header.chromaHeight
    pixelBuffer.writePlane(0) { plane, shape in
      plane.copyRows(
        header.height, of: bytes.span.extracting(start..<cb), every: header.width, toEvery: shape.bytesPerRow)
      guard let tables else { return }
      for row in 0..<header.height {
        let first = row * shape.bytesPerRow
        plane.translate(first..<first + header.width, by: tables.luma)
      }
    }
    pixelBuffer.writePlane(1) { plane, shape in
      for row in 0..<header.chromaHeight {
        let (from, to) = (row * header.chromaWidth, row * shape.bytesPerRow)
        plane.interleave(
          bytes.span, at: cb + from, bytes.span, at: cr + from, count: header.chromaWidth, to: to)
        if let tables { plane.translate(to..<to + header.chromaWidth * 2, by: tables.chroma) }
      }
    }
  }
}

extension Y4MReader {
  package enum Error: Swift.Error, Equatable, CustomStringConvertible {
    case open(path: String, errno: Int32)
    case read(path: String, errno: Int32)
    case header(path: String, Y4MHeader.Error)
    case truncatedHeader(path: String)
    case truncated(path: String, frame: Int)
    case frameLine(path: String, frame: Int)
    case notSeekable(path: String)
    case pixelBuffer(path: String, width: Int, height: Int)

    package var errno: Int32? {
      switch self {
      case .open(_, let errno), .read(_, let errno): errno
      default: nil
      }
    }

    package var description: String {
      switch self {
      case .open(let path, ENOENT):
        "\(path) does not exist; name a Y4M file, or - for stdin"
      case .open(let path, EISDIR):
        "\(path) is a directory; name a Y4M file in it"
      case .open(let path, EACCES):
        "\(path) may not be read by this user; change its permissions or name another Y4M file"
      case .open(let path, let errno):
        "\(path) cannot be opened (\(Errno(rawValue: errno))); name a Y4M file, or - for stdin"
      case .read(let path, let errno):
        "\(path) cannot be read (\(Errno(rawValue: errno))); check the disk or the writing program"
      case .header(let path, .notY4M):
        "\(path) is not a Y4M stream; create one with: \(Y4MHeader.Error.ffmpeg)"
      case .header(let path, let error):
        "\(path) cannot be read: \(error)"
      case .truncatedHeader(let path):
        "\(path) ends within its header line; copy it again or let its writer finish"
      case .truncated(let path, let frame):
        "\(path) ends within frame \(frame); copy it again or let its writer finish"
      case .frameLine(let path, let frame):
        "\(path) has no FRAME line where frame \(frame) begins; create it again with: \(Y4MHeader.Error.ffmpeg)"
      case .notSeekable(let path):
        "\(path) cannot be played again from its start; save it to a file to loop it"
      case .pixelBuffer(let path, let width, let height):
        "the frames of \(path) need a pixel buffer of 420f or 420v and \(width)x\(height)"
      }
    }
  }
}
