import Foundation

/// Writes audio as a RIFF/WAVE stream of 16-bit samples.
///
/// ```swift
/// let writer = try WAVEWriter(file, sampleRate: 48_000, channelCount: 1)
/// try writer.write(samples)
/// try writer.finish()
/// ```
///
/// The writer updates the lengths in the header after every second of audio and at the end: a crash loses at most a second.
/// In a pipe, and in a file opened for appending, the lengths say "to the end". The caller closes the file. For one
/// thread at a time.
public final class WAVEWriter {
  /// The format of the samples.
  public let format: WAVEFormat
  /// The number of frames written.
  public private(set) var frameCount = 0

  private let file: FileHandle
  /// The offset of the header in the file; `nil` when it cannot be updated.
  private let origin: UInt64?
  private var framesInHeader = 0

  private static let headerLength = 44
  /// The maximum bytes of audio that a header can state.
  private static let capacity = Int(UInt32.max) - headerLength

  /// Writes the header. The rate and the number of channels are positive.
  public init(_ file: FileHandle, sampleRate: Int, channelCount: Int) throws(Error) {
    self.file = file
    format = WAVEFormat(sampleRate: sampleRate, channelCount: channelCount)
    let origin = lseek(file.fileDescriptor, 0, SEEK_CUR)
    // A file opened for appending takes every write at its end: an updated header would become audio.
    let appends = fcntl(file.fileDescriptor, F_GETFL) & O_APPEND != 0
    self.origin = origin < 0 || appends ? nil : UInt64(origin)
    try write(bytes: header())
  }

  /// Writes the interleaved samples of whole frames. Throws `.full` above 4 GB, `.closed` for a pipe without a reader.
  public func write(_ samples: [Int16]) throws(Error) {
    guard origin == nil || (frameCount * format.bytesPerFrame + samples.count * 2) <= Self.capacity else {
      throw .full
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * 2)
    for sample in samples { bytes.appendLittleEndian(UInt16(bitPattern: sample)) }
    try write(bytes: bytes)
    frameCount += samples.count / format.channelCount
    if frameCount - framesInHeader >= format.sampleRate { try setLengths() }
  }

  /// Updates the lengths for the last time.
  public func finish() throws(Error) { try setLengths() }

  private func setLengths() throws(Error) {
    guard let origin, framesInHeader != frameCount else { return }
    do {
      try file.seek(toOffset: origin)
      try write(bytes: header())
      try file.seek(toOffset: origin + UInt64(Self.headerLength + frameCount * format.bytesPerFrame))
    } catch let error as Error {
      throw error
    } catch {
      throw .system(errno: error.systemCode)
    }
    framesInHeader = frameCount
  }

  private func header() -> [UInt8] {
    let isOpen = origin == nil
    let length = isOpen ? UInt32.max : UInt32(clamping: frameCount * format.bytesPerFrame)
    let bytesPerFrame = UInt16(format.bytesPerFrame)
    let rate = UInt32(clamping: format.sampleRate)
    var header = Array("RIFF".utf8)
    header.appendLittleEndian(isOpen ? .max : length + UInt32(Self.headerLength - 8))
    header += Array("WAVEfmt ".utf8)
    header.appendLittleEndian(16 as UInt32)
    header.appendLittleEndian(1 as UInt16)
    header.appendLittleEndian(UInt16(format.channelCount))
    header.appendLittleEndian(rate)
    header.appendLittleEndian(rate &* UInt32(bytesPerFrame))
    header.appendLittleEndian(bytesPerFrame)
    header.appendLittleEndian(16 as UInt16)
    header += Array("data".utf8)
    header.appendLittleEndian(length)
    return header
  }

  private func write(bytes: [UInt8]) throws(Error) {
    do { try file.write(contentsOf: Data(bytes)) } catch {
      throw error.systemCode == EPIPE ? .closed : .system(errno: error.systemCode)
    }
  }
}

extension WAVEWriter {
  /// An error of the writer.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The reader of the pipe closed it.
    case closed
    /// The file has reached the limit of 4 GB.
    case full
    /// A system call failed.
    case system(errno: Int32)

    /// The system's error number, when a system call failed.
    public var errno: Int32? {
      switch self {
      case .closed: EPIPE
      case .full: EFBIG
      case .system(let errno): errno
      }
    }

    /// One sentence without a full stop.
    public var description: String {
      switch self {
      case .closed: "the reader of the pipe closed it"
      case .full:
        "the file has 4 GB, the limit of a WAV file; stop earlier, or write to a pipe"
      case .system(let errno):
        "cannot write the audio ("
          + NSError(domain: NSPOSIXErrorDomain, code: Int(errno)).localizedDescription + ")"
      }
    }
  }
}
