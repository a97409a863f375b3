import ReplayKit
import TestSupport

/// A packet of app audio as a phone delivers it: 44.1 kHz, 16-bit big-endian, two channels, 1,024 frames.
enum AudioPacket {
  static let frames = 1024

  /// The sample of a frame and channel, which differs from those nearby.
  static func sample(_ frame: Int, _ channel: Int) -> Int16 {
    Int16(truncatingIfNeeded: frame &* 7 &+ channel)
  }

  /// Packet `number` of a stream whose first sample has the time 3 s.
  static func make(_ number: Int) throws -> CMSampleBuffer {
    let bytes = (number * frames..<(number + 1) * frames).flatMap { frame in
      (0..<2).flatMap { channel in
        let bits = UInt16(bitPattern: sample(frame, channel))
        return [UInt8(bits >> 8), UInt8(truncatingIfNeeded: bits)]
      }
    }
    return try makeAudioSample(
      bytes, sampleRate: 44_100, channelCount: 2, isBigEndian: true,
      at: CMTime(value: CMTimeValue(3 * 44_100 + number * frames), timescale: 44_100))
  }
}
