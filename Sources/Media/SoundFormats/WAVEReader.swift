import Foundation

/// Reads the sound of a RIFF/WAVE file, from any place in it, as 16-bit samples.
///
/// ```swift
/// let reader = try WAVEReader(path: "speech.wav")
/// let samples = try reader.read(from: 0, count: 1024)
/// ```
///
/// A block is read at a time; the file may be larger than memory. Every number in it counts as anybody's. To be used
/// from one thread at a time.
public final class WAVEReader {
  /// What the file says about its samples.
  public let format: WAVEFormat
  /// The frames that are there: as many as the file says, or fewer when it ends before.
  public let frameCount: Int

  private let path: String
  private let file: FileHandle
  private let dataOffset: Int

  /// The most frames that are read in one call.
  public static let longestRead = 1 << 16
  /// The most chunks that may stand before the sound; files have a handful.
  private static let chunkLimit = 1_000
  /// The largest `fmt ` chunk that is looked at, in bytes; the longest known kind has 40.
  private static let formatLimit = 1 << 12

  /// Opens a file and finds its sound. It must be a plain file, as it is read from any place.
  public init(path: String) throws(Error) {
    self.path = path
    do throws(Problem) {
      let (file, byteCount) = try Self.open(path)
      self.file = file
      (format, dataOffset, frameCount) = try Self.findSound(file, byteCount: byteCount)
    } catch {
      throw Error(path: path, problem: error)
    }
  }

  /// The samples of at most `count` frames from `frame` on, channel by channel within a frame. Fewer come at the end
  /// of the sound, or when the file was cut short meanwhile; none behind it.
  public func read(from frame: Int, count: Int) throws(Error) -> [Int16] {
    guard frame >= 0, frame < frameCount, count > 0 else { return [] }
    let count = min(count, frameCount - frame, Self.longestRead)
    do throws(Problem) {
      let bytes = try Self.read(
        file, at: dataOffset + frame * format.bytesPerFrame, count: count * format.bytesPerFrame)
      let whole = bytes.count - bytes.count % format.bytesPerFrame
      return format.encoding.samples(whole == bytes.count ? bytes : Array(bytes[..<whole]))
    } catch {
      throw Error(path: path, problem: error)
    }
  }

  /// What to tell of a file that gave fewer frames than it had when it was opened.
  public var cutShort: Error { Error(path: path, problem: .cutShort) }

  private static func open(_ path: String) throws(Problem) -> (FileHandle, byteCount: Int) {
    do {
      // A FIFO would hold up whoever reads it.
      let target = URL(filePath: path).resolvingSymlinksInPath().path
      let attributes = try FileManager.default.attributesOfItem(atPath: target)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { throw Problem.notPlain }
      // It closes its descriptor when it goes, with the reader.
      let file = try FileHandle(forReadingFrom: URL(filePath: path))
      // Asked of what was opened, which may be another file by now.
      return (file, Int(clamping: try file.seekToEnd()))
    } catch let problem as Problem {
      throw problem
    } catch {
      throw .system(errno: error.systemCode)
    }
  }

  /// Walks through the chunks to the one that holds the sound.
  private static func findSound(
    _ file: FileHandle, byteCount: Int
  ) throws(Problem) -> (WAVEFormat, dataOffset: Int, frameCount: Int) {
    let head = try read(file, at: 0, count: 12)
    guard head.count == 12, head.name(at: 0) == "RIFF", head.name(at: 8) == "WAVE" else {
      throw .notWAVE(beginning: head.isEmpty ? nil : head.name(at: 0))
    }
    var format: WAVEFormat?
    var offset = 12
    for _ in 0..<chunkLimit {
      let header = try read(file, at: offset, count: 8)
      guard header.count == 8 else { break }
      let length = header.littleEndian32(at: 4)
      offset += 8
      switch header.name(at: 0) {
      case "fmt ":
        guard format == nil else { break }
        let chunk = try read(file, at: offset, count: min(length, formatLimit))
        guard chunk.count == min(length, formatLimit) else { throw .endsWithin("fmt ") }
        format = try WAVEFormat(chunk: chunk)
      case "data":
        guard let format else { throw .noFormat }
        // What was streamed, or whose writer died, states another length than it has.
        let there = max(0, byteCount - offset)
        let isEmpty = length == 0 ? try areChunks(file, from: offset, to: byteCount) : false
        let isOpen = length == 0xFFFF_FFFF || length == 0 && !isEmpty
        let frameCount = (isOpen ? there : min(length, there)) / format.bytesPerFrame
        guard frameCount > 0 else { throw .noSound }
        return (format, offset, frameCount)
      default: break
      }
      // Chunks begin at even places.
      offset += length + length % 2
      guard offset <= byteCount else { break }
    }
    throw format == nil ? .noFormat : .noSound
  }

  /// Whether whole chunks and nothing else reach from `offset` to the end: then what is empty before them is so.
  private static func areChunks(
    _ file: FileHandle, from offset: Int, to byteCount: Int
  ) throws(Problem) -> Bool {
    var offset = offset
    for _ in 0..<chunkLimit where offset < byteCount {
      let header = try read(file, at: offset, count: 8)
      guard header.count == 8, header[..<4].allSatisfy({ (0x20...0x7E).contains($0) }) else { return false }
      let length = header.littleEndian32(at: 4)
      offset += 8 + length
      if offset < byteCount { offset += length % 2 }
    }
    return offset == byteCount
  }

  private static func read(_ file: FileHandle, at offset: Int, count: Int) throws(Problem) -> [UInt8] {
    do {
      try file.seek(toOffset: UInt64(offset))
      var bytes: [UInt8] = []
      while bytes.count < count, let more = try file.read(upToCount: count - bytes.count), !more.isEmpty {
        bytes += more
      }
      return bytes
    } catch {
      throw .system(errno: error.systemCode)
    }
  }
}

extension [UInt8] {
  /// The four letters at `offset`, or as many as there are; what is no letter as a question mark.
  fileprivate func name(at offset: Int) -> String {
    String(
      decoding: self[Swift.min(offset, count)..<Swift.min(offset + 4, count)]
        .map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}
