import Foundation

/// Writes sound as a RIFF/WAVE stream of 16-bit samples.
///
/// ```swift
/// let writer = try WAVEWriter(file, sampleRate: 48_000, channelCount: 1)
/// try writer.write(samples)
/// try writer.finish()
/// ```
///
/// The lengths in the header are set right every second of sound and at the end, so that a file whose writer was
/// killed is short of a second at the most. Into a pipe, or a file that
/// everything is appended to, where nothing can be set right, they say "to the end". The
/// file stays the caller's. To be used from one thread at a time.
public final class WAVEWriter {
  /// The samples that are written.
  public let format: WAVEFormat
  /// The frames written.
  public private(set) var frameCount = 0

  private let file: FileHandle
  /// Where in the file the header begins; `nil` when it cannot be gone back to.
  private let origin: UInt64?
  private var framesInHeader = 0

  private static let headerLength = 44
  /// The most bytes of sound that the lengths of a header can tell.
  private static let capacity = Int(UInt32.max) - headerLength

  /// Writes the header. The rate and the number of channels are above 0.
  public init(_ file: FileHandle, sampleRate: Int, channelCount: Int) throws(Error) {
    self.file = file
    format = WAVEFormat(sampleRate: sampleRate, channelCount: channelCount)
    let origin = lseek(file.fileDescriptor, 0, SEEK_CUR)
    // Whatever is written to a file opened for appending lands at its end: a header would become sound.
    let appends = fcntl(file.fileDescriptor, F_GETFL) & O_APPEND != 0
    self.origin = origin < 0 || appends ? nil : UInt64(origin)
    try write(bytes: header())
  }

  /// Writes the samples of whole frames, channel by channel within a frame.
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

  /// Sets the lengths right for the last time.
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
