import CoreMedia
import ReplayKit
import TestPatterns

/// One sound of the emulated device, in the packets ReplayKit delivers: that of its apps, or its microphone's.
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
/// Times are those of the pictures: monotonic nanoseconds. The memory of the packets is a small pool that is used again and
/// again, as the screen's is: a handler that keeps a packet sees a later one in it.
@MainActor
public final class EmulatedAudio {
  /// Which sound it is.
  public let type: RPSampleBufferType
  /// What sounds.
  public let content: any AudioContent
  /// The frames of one packet.
  public let framesPerPacket: Int
  /// Whether silence is delivered in place of the content, as during a phone call.
  public var isInterrupted = false
  /// Packets that were left out because nobody asked for samples in time; they count as dropped.
  public private(set) var packetsSkipped: UInt64 = 0

  private let format: Format
  private var clock: SampleClock?
  private var nextFrame: UInt64 = 0
  private var blocks: [CMBlockBuffer] = []
  private var nextBlock = 0

  /// The frames of a packet since iOS 13.
  public nonisolated static let defaultFramesPerPacket = 1_024
  /// The frames of a packet of app audio before.
  public nonisolated static let oldFramesPerPacket = 22_596
  /// The packets that are made up for at once, in seconds of sound; what is older is gone, as on a device.
  static let longestBacklog: UInt64 = 1

  /// A sound that has not begun.
  ///
  /// - Parameters:
  ///   - type: `.audioApp` or `.audioMic`.
  ///   - framesPerPacket: above 0.
  public init(
    type: RPSampleBufferType, content: any AudioContent, framesPerPacket: Int = defaultFramesPerPacket
  ) {
    precondition(type != .video && framesPerPacket > 0, "A sound has packets with frames.")
    self.type = type
    self.content = content
    self.framesPerPacket = framesPerPacket
    format = Format(type)
  }

  /// Begins: the first frame is taken at `time`, in monotonic nanoseconds.
  public func start(at time: UInt64) {
    clock = SampleClock(start: time, sampleRate: format.sampleRate)
    nextFrame = 0
  }

  /// The packets that are complete at `time` and were not delivered yet, each with the time of its first frame; `count`
  /// at the most, the oldest first. Of more than a second of sound, the newest second.
  public func samples(until time: UInt64, atMost count: Int = .max) -> [CMSampleBuffer] {
    guard let clock else { return [] }
    let (packet, complete) = (UInt64(framesPerPacket), clock.framesComplete(at: time))
    guard complete >= nextFrame + packet else { return [] }
    let due = (complete - nextFrame) / packet
    let limit = max(1, Self.longestBacklog * UInt64(format.sampleRate) / packet)
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

  /// Goes on at `time` without the frames before it: behind a pause nothing is made up for.
  public func skip(to time: UInt64) {
    guard let clock else { return }
    nextFrame = max(nextFrame, clock.firstFrame(notBefore: time))
  }

  /// Has memory for so many packets besides those that may wait and the one the handler has. They are used in the order in
  /// which they are delivered, so that the next is always free. Whether there is as much.
  private func prepareBlocks(for count: Int) -> Bool {
    let wanted = count + SampleDelivery.capacity + 1
    guard blocks.count < wanted else { return true }
    let packet = [UInt8](repeating: 0, count: framesPerPacket * format.channelCount * 2)
    while blocks.count < wanted {
      guard let block = CMBlockBuffer(copying: packet.span) else { return false }
      // Behind the one used last, which is the one that will be free last.
      blocks.insert(block, at: nextBlock)
    }
    return true
  }

  private func sample(at clock: SampleClock) -> CMSampleBuffer? {
    // The content goes on while it is not heard.
    let played = content.samples(
      from: nextFrame, count: framesPerPacket, channelCount: format.channelCount, clock: clock)
    let block = blocks[nextBlock]
    nextBlock = (nextBlock + 1) % blocks.count
    block.withMutableBytes { bytes in
      for (index, sample) in played.enumerated() {
        let sample = isInterrupted ? 0 : sample
        let (high, low) = (UInt8(truncatingIfNeeded: sample >> 8), UInt8(truncatingIfNeeded: sample))
        bytes[2 * index] = format.isBigEndian ? high : low
        bytes[2 * index + 1] = format.isBigEndian ? low : high
      }
    }
    guard let description = format.description else { return nil }
    let time = CMTime(
      value: Int64(clamping: clock.time(ofFrame: nextFrame)), timescale: 1_000_000_000)
    var sample: CMSampleBuffer?
    // UNSAFE: the out parameter is a local variable. It fails only for a block of another length.
    _ = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: kCFAllocatorDefault, dataBuffer: block, formatDescription: description,
      sampleCount: framesPerPacket, presentationTimeStamp: time, packetDescriptions: nil,
      sampleBufferOut: &sample)
    return sample
  }
}

extension EmulatedAudio {
  /// How the samples of a type are written.
  private struct Format {
    let sampleRate: Int
    let channelCount: Int
    let isBigEndian: Bool
    let description: CMAudioFormatDescription?

    init(_ type: RPSampleBufferType) {
      let isApp = type == .audioApp
      sampleRate = isApp ? 44_100 : 48_000
      channelCount = isApp ? 2 : 1
      isBigEndian = isApp
      var stream = AudioStreamBasicDescription()
      stream.mSampleRate = Double(sampleRate)
      stream.mFormatID = kAudioFormatLinearPCM
      stream.mFormatFlags =
        kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
        | (isApp ? kAudioFormatFlagIsBigEndian : 0)
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
