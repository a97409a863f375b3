import TestSupport

@testable import SharedMemory

/// Audio in which each sample identifies its frame, different in every round of the ring.
struct TestAudio {
  /// 1,000 frames a second, with room for 2,048 frames in a ring.
  static let mono = TestAudio(sampleRate: 1000, channelCount: 1, isBigEndian: false)
  static let stereo = TestAudio(sampleRate: 1000, channelCount: 2, isBigEndian: true)
  static let session = RingSession(id: 77, processID: 5, startTime: 3)

  let format: AudioRingFormat

  init(sampleRate: Double, channelCount: Int, isBigEndian: Bool) {
    guard
      let format = AudioRingFormat(
        sampleRate: sampleRate, channelCount: channelCount, isBigEndian: isBigEndian)
    else { preconditionFailure("no such format") }
    self.format = format
  }

  func sample(_ frame: UInt64, _ channel: Int = 0) -> Int16 {
    Int16(truncatingIfNeeded: (frame &* 2_654_435_761) >> 16 &+ UInt64(channel))
  }

  func samples(_ frames: Range<UInt64>) -> [Int16] {
    frames.flatMap { frame in (0..<format.channelCount).map { sample(frame, $0) } }
  }

  func bytes(_ frames: Range<UInt64>) -> [UInt8] {
    samples(frames).flatMap { sample -> [UInt8] in
      let bits = UInt16(bitPattern: sample)
      let bytes = [UInt8(truncatingIfNeeded: bits), UInt8(bits >> 8)]
      return format.isBigEndian ? bytes.reversed() : bytes
    }
  }

  /// Returns the capture time of a frame: 5 s for the first frame, and 1 ms more for each further frame.
  func time(_ frame: UInt64) -> MonotonicTime { 5_000_000_000 + .milliseconds(frame) }

  func writer(_ path: String) throws(FileError) -> AudioRingWriter {
    try AudioRingWriter(path: path, format: format, session: Self.session)
  }

  /// Publishes the next `count` frames, with a capture time that is `late` after the regular time.
  func publish(_ count: UInt64, to writer: AudioRingWriter, late: Duration = .zero) throws(FileError) {
    let start = writer.framesPublished
    let bytes = bytes(start..<(start + count))
    try writer.publish(bytes.span, format: format, captureTime: time(start) + late)
  }

  func isRight(_ run: AudioRun) -> Bool {
    let count = UInt64(run.samples.count / format.channelCount)
    return run.samples == samples(run.firstFrame..<(run.firstFrame + count))
      && run.captureTime == time(run.firstFrame)
  }
}

extension AudioRun {
  func frames(_ channels: Int = 1) -> Range<UInt64> {
    firstFrame..<(firstFrame + UInt64(samples.count / channels))
  }
}
