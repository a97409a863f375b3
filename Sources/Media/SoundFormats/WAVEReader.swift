import Foundation
import Platform

/// Reads the audio of a RIFF/WAVE file, from any position, as 16-bit samples.
///
/// ```swift
/// let reader = try WAVEReader(path: "speech.wav")
/// let samples = try reader.read(from: 0, count: 1024)
/// ```
///
/// The file may be larger than memory. No number in it is trusted. For one thread at a time.
package final class WAVEReader {
  package let format: WAVEFormat
  /// The number of frames: as stated by the file, or fewer when it ends before.
  package let frameCount: Int

  private let file: FileDescriptor
  private let dataOffset: Int

  /// The maximum number of frames per read.
  package static let maximumRead = 1 << 16
  /// The maximum number of chunks before the audio.
  private static let chunkLimit = 1_000
  /// The maximum size of a `fmt ` chunk, in bytes; the longest known one has 40.
  private static let formatLimit = 1 << 12

  /// Opens a regular file and finds its audio.
  package init(path: String) throws(Error) {
    do throws(Problem) {
      file = try Self.open(path)
      (format, dataOffset, frameCount) = try Self.findAudio(file)
    } catch {
      throw Error(path: path, problem: error)
    }
  }

  /// Returns the interleaved samples of at most `count` frames from `frame` on: fewer at the end of the audio, and when the
  /// file was truncated after it was opened.
  package func read(from frame: Int, count: Int) throws(Error) -> [Int16] {
    guard frame >= 0, frame < frameCount, count > 0 else { return [] }
    let count = min(count, frameCount - frame, Self.maximumRead)
    do throws(Problem) {
      let bytes = try Self.read(
        file, at: dataOffset + frame * format.bytesPerFrame, count: count * format.bytesPerFrame)
      return format.encoding.samples(Array(bytes.dropLast(bytes.count % format.bytesPerFrame)))
    } catch {
      throw Error(path: file.path, problem: error)
    }
  }

  /// The error for a file that was truncated after it was opened.
  package var cutShort: Error { Error(path: file.path, problem: .cutShort) }

  private static func open(_ path: String) throws(Problem) -> FileDescriptor {
    do throws(FileError) {
      // UNSAFE: the path is lent to the call. Without `O_NONBLOCK` it would wait for the writer of a FIFO.
      let descriptor = try System.retrying("open", path) {
        unsafe Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      }
      let file = FileDescriptor(descriptor, path: path)
      if try System.status(of: file).kind == .plainFile { return file }
    } catch {
      throw .system(errno: error.code)
    }
    throw .notPlain
  }

  /// Finds the chunk of the audio.
  private static func findAudio(
    _ file: borrowing FileDescriptor
  ) throws(Problem) -> (WAVEFormat, dataOffset: Int, frameCount: Int) {
    let byteCount: Int
    do { byteCount = try System.status(of: file).byteCount } catch { throw .system(errno: error.code) }
    let head = try read(file, at: 0, count: 12)
    guard head.count == 12, head.name(at: 0) == "RIFF", head.name(at: 8) == "WAVE" else {
      throw .notWAVE(beginning: head.isEmpty ? nil : head.name(at: 0))
    }
    var format: WAVEFormat?
    var offset = 12
    for _ in 0..<chunkLimit {
      let header = try read(file, at: offset, count: 8)
      guard header.count == 8 else { break }
      let length = Int(header.span.loadLittleEndian(at: 4, as: UInt32.self))
      offset += 8
      switch header.name(at: 0) {
      case "fmt ":
        guard format == nil else { break }
        let chunk = try read(file, at: offset, count: min(length, formatLimit))
        guard chunk.count == min(length, formatLimit) else { throw .endsWithin("fmt ") }
        format = try WAVEFormat(chunk: chunk)
      case "data":
        guard let format else { throw .noFormat }
        // A stream, and a file whose writer crashed, do not state their real length.
        let available = max(0, byteCount - offset)
        let isEmpty = length == 0 ? try areChunks(file, from: offset, to: byteCount) : false
        let isOpen = length == 0xFFFF_FFFF || length == 0 && !isEmpty
        let frameCount = (isOpen ? available : min(length, available)) / format.bytesPerFrame
        guard frameCount > 0 else { throw .noAudio }
        return (format, offset, frameCount)
      default: break
      }
      // Chunks start at even offsets.
      offset += length + length % 2
      guard offset <= byteCount else { break }
    }
    throw format == nil ? .noFormat : .noAudio
  }

  /// Returns whether whole chunks fill the file from `offset` to its end: then an empty chunk before them is really empty.
  private static func areChunks(
    _ file: borrowing FileDescriptor, from offset: Int, to byteCount: Int
  ) throws(Problem) -> Bool {
    var offset = offset
    for _ in 0..<chunkLimit where offset < byteCount {
      let header = try read(file, at: offset, count: 8)
      guard header.count == 8, header[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
      let length = Int(header.span.loadLittleEndian(at: 4, as: UInt32.self))
      offset += 8 + length
      if offset < byteCount { offset += length % 2 }
    }
    return offset == byteCount
  }

  private static func read(
    _ file: borrowing FileDescriptor, at offset: Int, count: Int
  ) throws(Problem) -> [UInt8] {
    do { return try System.read(file, from: offset, limit: count) } catch { throw .system(errno: error.code) }
  }
}

extension [UInt8] {
  /// Returns the four letters at `offset`, or fewer at the end. A question mark replaces a byte that is not printable.
  fileprivate func name(at offset: Int) -> String {
    String(
      decoding: self[Swift.min(offset, count)..<Swift.min(offset + 4, count)]
        .map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}

extension WAVEReader {
  package struct Error: Swift.Error, Equatable, CustomStringConvertible {
    package let path: String
    package let problem: Problem

    package var errno: Int32? {
      if case .system(let errno) = problem { return errno }
      return problem == .notPlain ? EINVAL : nil
    }

    /// One sentence without a full stop: the file, the cause and the remedy.
    package var description: String { "\(path) \(problem)" }
  }

  package enum Problem: Swift.Error, Equatable, CustomStringConvertible {
    case system(errno: Int32)
    case notPlain
    case notWAVE(beginning: String?)
    case endsWithin(String)
    case formatTooShort(byteCount: Int)
    case noFormat
    case noAudio
    case cutShort
    case encoding(kind: Int, bits: Int)
    case channels(Int)
    case sampleRate(Int)
    case bytesPerFrame(stated: Int, needed: Int)

    /// The predicate of a sentence whose subject is the file.
    package var description: String {
      let make = "create it again with: ffmpeg -i INPUT -c:a pcm_s16le out.wav"
      return switch self {
      case .system(ENOENT): "does not exist; name a WAV file"
      case .system(EACCES): "may not be read by this user; change its permissions or name another WAV file"
      case .system(let errno): "cannot be read (\(Errno(rawValue: errno))); name another WAV file"
      case .notPlain: "is not a regular file; save the audio to one"
      case .notWAVE(nil): "is empty; \(make)"
      case .notWAVE("RIFX"), .notWAVE("RF64"):
        "is a WAV file of an unsupported kind (big-endian, or above 4 GB); \(make)"
      case .notWAVE: "is not a WAV file; \(make)"
      case .endsWithin(let chunk): "ends within its chunk '\(chunk)'; copy it again, or \(make)"
      case .formatTooShort(let count):
        "has a format chunk of \(count) bytes; a WAV file needs 16, or 40 for the extensible format; \(make)"
      case .noFormat: "has no format chunk before the audio; \(make)"
      case .noAudio: "has no audio; \(make)"
      case .cutShort: "was truncated during playback; copy it again"
      case .encoding(let kind, let bits):
        "has samples of format \(kind) with \(bits) bits; supported are PCM of 8, 16, 24, 32 bits and 32-bit floats; "
          + make
      case .channels(let count):
        "has \(count) channels, and 1 or 2 are supported; convert it with: ffmpeg -i INPUT -ac 2 out.wav"
      case .sampleRate(let rate):
        "states \(rate) samples per second, and 1000 to 384000 are supported; convert it with: "
          + "ffmpeg -i INPUT -ar 48000 out.wav"
      case .bytesPerFrame(let stated, let needed):
        "states \(stated) bytes per frame, but its channels and bits need \(needed); \(make)"
      }
    }
  }
}
