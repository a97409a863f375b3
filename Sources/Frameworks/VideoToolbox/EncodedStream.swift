import Platform

/// H.264 in FLV as ffmpeg writes it: the form in which each frame is complete with its last byte, so nothing waits for the
/// next frame.
struct FLVStream: ~Copyable {
  enum Tag {
    /// An `AVCDecoderConfigurationRecord`.
    case configuration([UInt8])
    /// NAL units, each after its length in four bytes.
    case frame([UInt8], isKeyFrame: Bool)
  }

  enum Failure: Error, CustomStringConvertible {
    case unexpected
    var description: String { "its output is not H.264 in FLV" }
  }

  private let descriptor: Int32
  private var hasHeader = false

  /// Creates a reader of a socket that outlives it.
  init(socket: borrowing FileDescriptor) { descriptor = socket.rawValue }

  /// The next tag of video, or `nil` at the end.
  mutating func next() throws -> Tag? {
    if !hasHeader {
      guard let header = try read(13) else { return nil }
      guard header.starts(with: "FLV".utf8) else { throw Failure.unexpected }
      hasHeader = true
    }
    while let header = try read(11) {
      let size = Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3])
      // The size of the tag follows once more.
      guard let content = try read(size + 4) else { return nil }
      guard header[0] == 9, size >= 5, content[0] & 15 == 7 else { continue }
      let data = Array(content[5..<size])
      switch content[1] {
      case 0: return .configuration(data)
      case 1 where !data.isEmpty: return .frame(data, isKeyFrame: content[0] >> 4 == 1)
      default: continue
      }
    }
    return nil
  }

  private func read(_ count: Int) throws(SystemError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = try System.readStream(descriptor, into: &bytes, filled..<count)
      guard more > 0 else { return nil }
      filled += more
    }
    return bytes
  }
}
