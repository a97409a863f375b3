/// What a WAVE file says about its samples.
public struct WAVEFormat: Equatable, Sendable {
  /// How one sample is written, least significant byte first.
  public enum Encoding: Equatable, Sendable, CaseIterable {
    /// 8 bits without a sign; silence is 128.
    case unsigned8
    /// 16 bits with a sign.
    case signed16
    /// 24 bits with a sign.
    case signed24
    /// 32 bits with a sign.
    case signed32
    /// A 32-bit floating-point number; full scale is 1.
    case float32

    /// The bytes of one sample.
    public var byteCount: Int {
      switch self {
      case .unsigned8: 1
      case .signed16: 2
      case .signed24: 3
      case .signed32, .float32: 4
      }
    }
  }

  /// Frames a second.
  public var sampleRate: Int
  /// Samples of a frame: 1 or 2.
  public var channelCount: Int
  /// How one sample is written.
  public var encoding: Encoding

  /// The rates accepted, in frames per second.
  public static let sampleRates = 1_000...384_000
  /// The channels accepted.
  public static let channelCounts = 1...2

  /// A format of rate, channels and encoding.
  public init(sampleRate: Int, channelCount: Int, encoding: Encoding = .signed16) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.encoding = encoding
  }

  /// The bytes of one sample of every channel.
  public var bytesPerFrame: Int { channelCount * encoding.byteCount }

  /// Linear PCM, the first of the two kinds of samples that are read.
  private static let pcm = 1
  /// Floating-point numbers, the second.
  private static let float = 3
  /// The kind stands at the end of a longer chunk.
  private static let extensible = 0xFFFE
  /// What follows the kind in the 16 bytes that name it there.
  private static let subformatTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

  /// The content of a file's `fmt ` chunk; bytes behind what is known are passed over.
  init(chunk: [UInt8]) throws(WAVEReader.Problem) {
    guard chunk.count >= 16 else { throw .formatTooShort(byteCount: chunk.count) }
    var kind = chunk.littleEndian16(at: 0)
    let channels = chunk.littleEndian16(at: 2)
    let rate = chunk.littleEndian32(at: 4)
    let blockAlign = chunk.littleEndian16(at: 12)
    let bits = chunk.littleEndian16(at: 14)
    if kind == Self.extensible {
      guard chunk.count >= 40 else { throw .formatTooShort(byteCount: chunk.count) }
      kind = chunk.littleEndian16(at: 24)
      guard Array(chunk[26..<40]) == Self.subformatTail else { throw .encoding(kind: kind, bits: bits) }
    }
    guard Self.channelCounts.contains(channels) else { throw .channels(channels) }
    guard Self.sampleRates.contains(rate) else { throw .sampleRate(rate) }
    switch (kind, bits) {
    case (Self.pcm, 8): encoding = .unsigned8
    case (Self.pcm, 16): encoding = .signed16
    case (Self.pcm, 24): encoding = .signed24
    case (Self.pcm, 32): encoding = .signed32
    case (Self.float, 32): encoding = .float32
    default: throw .encoding(kind: kind, bits: bits)
    }
    sampleRate = rate
    channelCount = channels
    guard blockAlign == bytesPerFrame else {
      throw .bytesPerFrame(stated: blockAlign, needed: bytesPerFrame)
    }
  }
}
