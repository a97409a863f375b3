import Platform

/// The format of the samples in a WAVE file.
package struct WAVEFormat: Equatable, Sendable {
  /// The encoding of a sample, little-endian.
  package enum Encoding: Equatable, Sendable, CaseIterable {
    /// 8 bits, unsigned; silence is 128.
    case unsigned8
    case signed16
    case signed24
    case signed32
    /// A 32-bit floating-point number; full scale is 1.
    case float32

    package var byteCount: Int {
      switch self {
      case .unsigned8: 1
      case .signed16: 2
      case .signed24: 3
      case .signed32, .float32: 4
      }
    }
  }

  package var sampleRate: Int
  /// The samples per frame: 1 or 2.
  package var channelCount: Int
  package var encoding: Encoding

  /// The supported rates, in frames per second.
  package static let sampleRates = 1_000...384_000
  package static let channelCounts = 1...2

  package init(sampleRate: Int, channelCount: Int, encoding: Encoding = .signed16) {
    self.sampleRate = sampleRate
    self.channelCount = channelCount
    self.encoding = encoding
  }

  /// The bytes of one sample of every channel.
  package var bytesPerFrame: Int { channelCount * encoding.byteCount }

  // The format tags `WAVE_FORMAT_PCM`, `WAVE_FORMAT_IEEE_FLOAT` and `WAVE_FORMAT_EXTENSIBLE`.
  private static let pcm = 1
  private static let float = 3
  private static let extensible = 0xFFFE
  /// The bytes after the tag in the subformat of an extensible format.
  private static let subformatTail: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

  /// Parses a `fmt ` chunk; bytes after the known fields are ignored.
  init(chunk: [UInt8]) throws(WAVEReader.Problem) {
    guard chunk.count >= 16 else { throw .formatTooShort(byteCount: chunk.count) }
    func word(at offset: Int) -> Int { Int(chunk.span.loadLittleEndian(at: offset, as: UInt16.self)) }
    var kind = word(at: 0)
    let (channels, blockAlign, bits) = (word(at: 2), word(at: 12), word(at: 14))
    let rate = Int(chunk.span.loadLittleEndian(at: 4, as: UInt32.self))
    if kind == Self.extensible {
      guard chunk.count >= 40 else { throw .formatTooShort(byteCount: chunk.count) }
      kind = word(at: 24)
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

extension WAVEFormat.Encoding {
  /// Returns the samples in `bytes` as 16 bits, signed: wider ones are rounded and clamped to full scale. The bytes of an
  /// incomplete sample are ignored.
  func samples(_ bytes: [UInt8]) -> [Int16] {
    (0..<bytes.count / byteCount).map { sample(bytes, at: $0 * byteCount) }
  }

  private func sample(_ bytes: [UInt8], at offset: Int) -> Int16 {
    let span = bytes.span
    return switch self {
    case .unsigned8: Int16(Int(bytes[offset]) - 128) << 8
    case .signed16: span.loadLittleEndian(at: offset)
    case .signed24:
      Self.rounded(
        Int(span.loadLittleEndian(at: offset, as: UInt16.self)) | Int(Int8(bitPattern: bytes[offset + 2]))
          << 16,
        shift: 8)
    case .signed32: Self.rounded(Int(span.loadLittleEndian(at: offset, as: Int32.self)), shift: 16)
    case .float32: Self.clamped(Float(bitPattern: span.loadLittleEndian(at: offset)))
    }
  }

  private static func rounded(_ value: Int, shift: Int) -> Int16 {
    Int16(clamping: (value + 1 << (shift - 1)) >> shift)
  }

  /// Not-a-number becomes silence.
  private static func clamped(_ value: Float) -> Int16 {
    value.isNaN ? 0 : Int16((min(max(value, -1), 1) * 32_767).rounded())
  }
}
