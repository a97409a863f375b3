import ReplayKit
import ScreenBroadcast
import SharedMemory
import TestSupport

/// An audio stream as a phone delivers it. Every sample encodes the number of its frame.
struct TestAudio {
  static let app = TestAudio(sampleRate: 44_100, channelCount: 2, isBigEndian: true)
  /// The microphone's stream: 48 kHz, little-endian, one channel.
  static let microphone = TestAudio(sampleRate: 48_000, channelCount: 1, isBigEndian: false)

  var sampleRate: Double
  var channelCount: Int
  var isBigEndian: Bool
  var bits: UInt32 = 16

  func sample(_ frame: Int, _ channel: Int) -> Int16 { Int16(truncatingIfNeeded: frame &* 5 &+ channel) }

  func samples(_ frames: Range<Int>) -> [Int16] {
    frames.flatMap { frame in (0..<channelCount).map { sample(frame, $0) } }
  }

  func bytes(_ frames: Range<Int>) -> [UInt8] {
    samples(frames).flatMap { sample -> [UInt8] in
      let bits = UInt16(bitPattern: isBigEndian ? sample.bigEndian : sample.littleEndian)
      return [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
    }
  }

  func time(_ frame: Int) -> CMTime {
    CMTime(value: CMTimeValue(frame) + CMTimeValue(sampleRate) * 9, timescale: CMTimeScale(sampleRate))
  }

  func captureTime(_ frame: Int) -> MonotonicTime {
    MonotonicTime(
      nanoseconds: UInt64(CMTimeConvertScale(time(frame), timescale: 1_000_000_000, method: .default).value))
  }

  var format: AudioRingFormat? {
    AudioRingFormat(sampleRate: sampleRate, channelCount: channelCount, isBigEndian: isBigEndian)
  }

  /// Returns a packet as ReplayKit delivers it.
  func packet(_ frames: Range<Int>, late: CMTime = .zero) throws -> CMSampleBuffer {
    let bytesPerFrame = channelCount * Int(bits) / 8
    return try makeAudioSample(
      bits == 16 ? bytes(frames) : [UInt8](repeating: 1, count: frames.count * bytesPerFrame),
      sampleRate: sampleRate, channelCount: channelCount, isBigEndian: isBigEndian, bits: bits,
      at: time(frames.lowerBound) + late)
  }

  /// Publishes frames to a ring without a handler.
  func publish(_ frames: Range<Int>, to ring: AudioRingWriter) throws {
    try ring.publish(
      bytes(frames).span, format: try #require(format), captureTime: captureTime(frames.lowerBound))
  }

  /// Whether the samples and the time match the stream from frame `first` on (default: the index that `audio` states).
  func isRight(_ audio: BroadcastAudio, first: Int? = nil) -> Bool {
    let first = first ?? Int(audio.index)
    return audio.samples == samples(first..<(first + audio.frameCount))
      && audio.time == captureTime(first) && audio.sampleRate == sampleRate
      && audio.channelCount == channelCount
  }
}

extension AppGroupContainer {
  func makeAudioRing(
    _ testAudio: TestAudio = .app, stream: BroadcastAudioStream = .app, session: UInt64 = 7,
    pid: Int32 = getpid()
  ) throws -> AudioRingWriter {
    try AudioRingWriter(
      path: audioFile(for: stream), format: try #require(testAudio.format),
      session: RingSession(id: session, processID: pid, startTime: 1))
  }
}

extension BroadcastAudio {
  var frames: Range<Int> { Int(index)..<(Int(index) + frameCount) }
}
