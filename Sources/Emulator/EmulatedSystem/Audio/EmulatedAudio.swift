import CoreMedia
import Platform
import ReplayKit
import TestPatterns

/// One audio stream of the emulated device, in the packets that ReplayKit delivers.
///
/// | type | samples | packets |
/// | --- | --- | --- |
/// | `.audioApp` | 44.1 kHz, two channels, 16 bits, most significant byte first | 1,024 frames; 22,596 before iOS 13 |
/// | `.audioMic` | 48 kHz, one channel, 16 bits, least significant byte first | 1,024 frames |
///
/// ```swift
/// let audio = EmulatedAudio(type: .audioMic, content: ToneContent(), framesPerPacket: 1_024)
/// audio.start(at: now)
/// for sample in audio.samples(until: later) { handler.processSampleBuffer(sample, with: audio.type) }
/// ```
/// Times are on the clock of the video frames. The packets' memory is a small pool, as the screen's is: a handler that
/// keeps a packet sees a later one in it.
@MainActor
package final class EmulatedAudio {
  package let type: RPSampleBufferType
  /// What is played or recorded; `nil` for silence.
  package let content: (any AudioContent)?
  package let framesPerPacket: Int
  /// Whether the samples are silent, as during a phone call. The content continues unheard.
  package var isInterrupted = false
  /// The packets that were requested too late and left out; they count as dropped.
  package private(set) var packetsSkipped: UInt64 = 0

  private let format: Format
  private var clock: SampleClock?
  private var nextFrame: UInt64 = 0
  private var blocks: [CMBlockBuffer] = []
  private var nextBlock = 0

  /// The frames of a packet since iOS 13.
  package nonisolated static let defaultFramesPerPacket = 1_024
  /// The frames of a packet of app audio before iOS 13.
  package nonisolated static let oldFramesPerPacket = 22_596

  /// A stream of `.audioApp` or `.audioMic` that has not started.
  package init(
    type: RPSampleBufferType, content: (any AudioContent)?, framesPerPacket: Int = defaultFramesPerPacket
  ) {
    precondition(type != .video && framesPerPacket > 0, "an audio stream has packets of frames")
    (self.type, self.content, self.framesPerPacket) = (type, content, framesPerPacket)
    format = Format(type)
  }

  /// Starts the stream; `time` is the time of its first frame.
  package func start(at time: MonotonicTime) {
    clock = SampleClock(start: time, sampleRate: format.sampleRate)
    nextFrame = 0
  }

  /// Returns the packets that are complete at `time` and were not returned before, the oldest first and at most `count`.
  /// Of more than one second, the newest second.
  package func samples(until time: MonotonicTime, atMost count: Int = .max) -> [CMSampleBuffer] {
    guard let clock else { return [] }
    let (packet, complete) = (UInt64(framesPerPacket), clock.framesComplete(at: time))
    guard complete >= nextFrame + packet else { return [] }
    let due = (complete - nextFrame) / packet
    let limit = max(1, UInt64(format.sampleRate) / packet)
    if due > limit {
      packetsSkipped += due - limit
      nextFrame += (due - limit) * packet
    }
    let number = Int(min(due, limit, UInt64(max(0, count))))
    guard prepareBlocks(for: number) else { return [] }
    return (0..<number).compactMap { _ in
      defer { nextFrame += packet }
      return sample(at: clock)
    }
  }

  /// Continues at `time`, after a pause, without the frames before.
  package func skip(to time: MonotonicTime) {
    guard let clock else { return }
    nextFrame = max(nextFrame, clock.firstFrame(notBefore: time))
  }

  /// Makes the pool large enough for `count` packets, those that may wait, and the handler's. The handler gets them in
  /// the order of the pool, so that the next block is always free. Returns `false` without memory.
  private func prepareBlocks(for count: Int) -> Bool {
    let needed = count + waitingSampleLimit + 1
    guard blocks.count < needed else { return true }
    let packet = [UInt8](repeating: 0, count: framesPerPacket * format.channelCount * 2)
    while blocks.count < needed {
      guard let block = CMBlockBuffer(copying: packet.span) else { return false }
      // After the newest packet, whose block becomes free last.
      blocks.insert(block, at: nextBlock)
    }
    return true
  }

  private func sample(at clock: SampleClock) -> CMSampleBuffer? {
    let played = content?.samples(
      from: nextFrame, count: framesPerPacket, channelCount: format.channelCount, clock: clock)
    let block = blocks[nextBlock]
    nextBlock = (nextBlock + 1) % blocks.count
    block.withMutableBytes { bytes in
      for index in 0..<framesPerPacket * format.channelCount {
        let sample = isInterrupted ? 0 : played?[index] ?? 0
        let (high, low) = (UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample))
        bytes[2 * index] = format.isBigEndian ? high : low
        bytes[2 * index + 1] = format.isBigEndian ? low : high
      }
    }
    guard let description = format.description else { return nil }
    let time = clock.time(ofFrame: nextFrame)
    var sample: CMSampleBuffer?
    // UNSAFE: the out parameter is a local variable. It fails only for a block of another length.
    _ = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: kCFAllocatorDefault, dataBuffer: block, formatDescription: description,
      sampleCount: framesPerPacket, presentationTimeStamp: CMTime(time), packetDescriptions: nil,
      sampleBufferOut: &sample)
    return sample
  }
}

extension EmulatedAudio {
  /// The sample format of a type.
  private struct Format {
    let sampleRate: Int
    let channelCount: Int
    let isBigEndian: Bool
    let description: CMAudioFormatDescription?

    init(_ type: RPSampleBufferType) {
      isBigEndian = type == .audioApp
      (sampleRate, channelCount) = isBigEndian ? (44_100, 2) : (48_000, 1)
      var stream = AudioStreamBasicDescription()
      stream.mSampleRate = Double(sampleRate)
      stream.mFormatID = kAudioFormatLinearPCM
      stream.mFormatFlags =
        kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
        | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0)
      stream.mFramesPerPacket = 1
      stream.mChannelsPerFrame = UInt32(channelCount)
      stream.mBitsPerChannel = 16
      stream.mBytesPerFrame = UInt32(channelCount * 2)
      stream.mBytesPerPacket = stream.mBytesPerFrame
      var description: CMAudioFormatDescription?
      // UNSAFE: parameters in and out are local variables.
      _ = unsafe CMAudioFormatDescriptionCreate(
        allocator: kCFAllocatorDefault, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0,
        magicCookie: nil, extensions: nil, formatDescriptionOut: &description)
      self.description = description
    }
  }
}
