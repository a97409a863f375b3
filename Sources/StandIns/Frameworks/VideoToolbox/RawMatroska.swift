import PixelAccess

/// Writes frames or audio with their times as Matroska, because ffmpeg reads it from a pipe without losing times. The
/// numbers are identifiers of RFC 9559.
package enum RawMatroska {
  /// The unit of times, as a rate.
  package static let ticksPerSecond = 100_000

  /// The only track of a stream.
  package enum Track: Sendable, Equatable {
    /// Uncompressed frames.
    case video(width: Int, height: Int, fourCC: String, isFullRange: Bool, matrix: ColourMatrix?)
    /// 32-bit floating-point samples, with the channels interleaved.
    case audio(rate: Double, channels: Int)
  }

  /// Returns the bytes before the first frame.
  package static func header(of track: Track) -> [UInt8] {
    let entry =
      element(0xD7, number(1)) + element(0x73C5, number(1)) + content(of: track)
    return element(0x1A45_DFA3, element(0x4282, Array("matroska".utf8)))
      + identifier(0x1853_8067) + unknownSize
      + element(0x1549_A966, element(0x2A_D7B1, number(UInt64(1_000_000_000 / ticksPerSecond))))
      + element(0x1654_AE6B, element(0xAE, entry))
  }

  private static func content(of track: Track) -> [UInt8] {
    switch track {
    case .video(let width, let height, let fourCC, let isFullRange, let matrix):
      // The code of ITU-T H.273.
      let colours = matrix.map { element(0x55B1, number($0 == .bt709 ? 1 : 6)) } ?? []
      let video =
        element(0xB0, number(UInt64(width))) + element(0xBA, number(UInt64(height)))
        + element(0x2E_B524, Array(fourCC.utf8))
        + element(0x55B0, element(0x55B9, number(isFullRange ? 2 : 1)) + colours)
      return element(0x83, number(1)) + element(0x86, Array("V_UNCOMPRESSED".utf8)) + element(0xE0, video)
    case .audio(let rate, let channels):
      let audio =
        element(0xB5, number(rate.bitPattern)) + element(0x9F, number(UInt64(channels)))
        + element(0x6264, number(32))
      return element(0x83, number(2)) + element(0x86, Array("A_PCM/FLOAT/IEEE".utf8)) + element(0xE1, audio)
    }
  }

  /// Returns the bytes before the content of each frame: a cluster with its time, and the header of a block.
  package static func frameHeader(ticks: UInt64, byteCount: Int) -> [UInt8] {
    let time = element(0xE7, number(ticks))
    // Track 1, no difference from the cluster's time, a key frame.
    let block = [0xA3] + size(byteCount + 4) + [0x81, 0, 0, 0x80]
    return identifier(0x1F43_B675) + size(time.count + block.count + byteCount) + time + block
  }

  private static let unknownSize: [UInt8] = [1, 255, 255, 255, 255, 255, 255, 255]

  private static func element(_ id: UInt32, _ content: [UInt8]) -> [UInt8] {
    identifier(id) + size(content.count) + content
  }

  private static func identifier(_ id: UInt32) -> [UInt8] {
    Array(number(UInt64(id)).drop { $0 == 0 })
  }

  /// Returns a length in its eight-byte form.
  private static func size(_ count: Int) -> [UInt8] { [1] + number(UInt64(count)).dropFirst() }

  private static func number(_ value: UInt64) -> [UInt8] {
    (0..<8).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
