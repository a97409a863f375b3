import Foundation
import Platform

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
package final class WAVEWriter {
  package let format: WAVEFormat
  package private(set) var frameCount = 0
  private let file: FileHandle
  /// The offset of the header in the file; `nil` when it cannot be updated.
  private let origin: Int64?
  private var framesInHeader = 0

  private static let headerLength = 44
  /// The maximum bytes of audio that a header can state.
  private static let capacity = Int(UInt32.max) - headerLength

  /// Writes the header. The rate and the number of channels are positive.
  package init(_ file: FileHandle, sampleRate: Int, channelCount: Int) throws(Error) {
    self.file = file
    format = WAVEFormat(sampleRate: sampleRate, channelCount: channelCount)
    let origin = Int64(lseek(file.fileDescriptor, 0, SEEK_CUR))
    // A file opened for appending takes every write at its end: an updated header would become audio.
    let appends = fcntl(file.fileDescriptor, F_GETFL) & O_APPEND != 0
    self.origin = origin < 0 || appends ? nil : origin
    try write(bytes: header())
  }

  /// Writes the interleaved samples of whole frames. Throws `.full` above 4 GB, `.closed` for a pipe without a reader.
  package func write(_ samples: [Int16]) throws(Error) {
    guard origin == nil || (frameCount * format.bytesPerFrame + samples.count * 2) <= Self.capacity else {
      throw .full
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(samples.count * 2)
    for sample in samples {
      bytes.append(UInt8(truncatingIfNeeded: sample))
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    try write(bytes: bytes)
    frameCount += samples.count / format.channelCount
    if frameCount - framesInHeader >= format.sampleRate { try setLengths() }
  }

  /// Updates the lengths for the last time.
  package func finish() throws(Error) { try setLengths() }

  private func setLengths() throws(Error) {
    guard let origin, framesInHeader != frameCount else { return }
    try seek(to: origin)
    try write(bytes: header())
    try seek(to: origin + Int64(Self.headerLength + frameCount * format.bytesPerFrame))
    framesInHeader = frameCount
  }

  private func header() -> [UInt8] {
    func word(_ name: String) -> UInt32 { name.utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    let isOpen = origin == nil
    let length = isOpen ? .max : UInt32(clamping: frameCount * format.bytesPerFrame)
    let (bytesPerFrame, rate) = (UInt32(format.bytesPerFrame), UInt32(clamping: format.sampleRate))
    // Two fields of 16 bits are one word: PCM and channels, bytes per frame and bits.
    let words = [
      word("RIFF"), isOpen ? .max : length + UInt32(Self.headerLength - 8), word("WAVE"), word("fmt "), 16,
      1 | UInt32(format.channelCount) << 16, rate, rate &* bytesPerFrame, bytesPerFrame | 16 << 16,
      word("data"), length,
    ]
    return words.flatMap { word in [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: word >> UInt32($0)) } }
  }

  private func seek(to offset: Int64) throws(Error) {
    guard lseek(file.fileDescriptor, off_t(offset), SEEK_SET) >= 0 else { throw .system(errno: errno) }
  }

  private func write(bytes: [UInt8]) throws(Error) {
    do { try System.writeStream(bytes, to: file.fileDescriptor) } catch {
      throw error.code == EPIPE ? .closed : .system(errno: error.code)
    }
  }
}

extension WAVEWriter {
  package enum Error: Swift.Error, Equatable, CustomStringConvertible {
    case closed
    case full
    case system(errno: Int32)

    package var description: String {
      switch self {
      case .closed: "the reader of the pipe closed it"
      case .full: "the file has 4 GB, the limit of a WAV file; stop earlier, or write to a pipe"
      case .system(let errno): "cannot write the audio (\(Errno(rawValue: errno)))"
      }
    }
  }
}
