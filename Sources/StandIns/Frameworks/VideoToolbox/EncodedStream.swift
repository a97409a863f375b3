import CoreMedia
import Platform

/// Reads the encoded frames from ffmpeg. In both formats a frame is complete with its last byte, so no frame waits for
/// the next one: H.264 is in FLV, HEVC is NAL units with their lengths, and a hash after each frame.
struct EncodedStream: ~Copyable {
  enum Element {
    /// The format of the frames that follow, with the parameter sets for a decoder.
    case format(CMFormatDescription?)
    /// NAL units, each after its length in four bytes.
    case frame([UInt8], isKeyFrame: Bool)
  }

  enum Failure: Error, CustomStringConvertible {
    case unexpected
    var description: String { "writes unexpected output" }
  }

  private let isHEVC: Bool
  private let dimensions: CMVideoDimensions
  private let descriptor: Int32
  private let waitForData: () -> Void
  private var hasHeader = false

  /// Creates a reader of a socket. The socket must outlive the reader.
  /// - Parameter waitForData: returns when the socket can be read.
  init(
    socket: borrowing FileDescriptor, isHEVC: Bool, size: CMVideoDimensions,
    waitForData: @escaping () -> Void
  ) {
    self.isHEVC = isHEVC
    self.dimensions = size
    self.waitForData = waitForData
    descriptor = socket.rawValue
  }

  /// Returns the next element; `nil` at the end.
  mutating func next() throws -> Element? { isHEVC ? try nextOfHEVC() : try nextOfFLV() }

  private mutating func nextOfFLV() throws -> Element? {
    if !hasHeader {
      guard let header = try read(13) else { return nil }
      guard header.starts(with: "FLV".utf8) else { throw Failure.unexpected }
      hasHeader = true
    }
    while let header = try read(11) {
      let size = Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3])
      // The size of the tag is repeated after the tag.
      guard let content = try read(size + 4) else { return nil }
      guard header[0] == 9, size >= 5, content[0] & 15 == 7 else { continue }
      let data = Array(content[5..<size])
      switch content[1] {
      case 0: return .format(CMFormatDescription(h264: data, dimensions: dimensions))
      case 1 where !data.isEmpty: return .frame(data, isKeyFrame: content[0] >> 4 == 1)
      default: continue
      }
    }
    return nil
  }

  /// The types are from ITU-T H.265, table 7-1.
  private func nextOfHEVC() throws -> Element? {
    var (sets, frame, isKeyFrame): ([[UInt8]], [UInt8], Bool) = ([], [], false)
    while let length = try read(4) {
      let count = length.reduce(0) { $0 << 8 | Int($1) }
      guard (2...1 << 28).contains(count) else { throw Failure.unexpected }
      guard let unit = try read(count) else { return nil }
      switch unit[0] >> 1 & 63 {
      case 32...34:
        sets.append(unit)
        if sets.count == 3 { return .format(CMFormatDescription(hevc: sets, dimensions: dimensions)) }
      case let type where type < 32:
        isKeyFrame = type >= 16
        frame += length + unit
      // The hash of the frame.
      case 40: return .frame(frame, isKeyFrame: isKeyFrame)
      default: continue
      }
    }
    return nil
  }

  private func read(_ count: Int) throws(FileError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      waitForData()
      let more = try System.readStream(descriptor, into: &bytes, filled..<count)
      guard more > 0 else { return nil }
      filled += more
    }
    return bytes
  }
}
