import ReplayKit

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
    var stream = AudioStreamBasicDescription(
      mSampleRate: 44_100, mFormatID: kAudioFormatLinearPCM,
      mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsBigEndian | kAudioFormatFlagIsPacked,
      mBytesPerPacket: 4, mFramesPerPacket: 1, mBytesPerFrame: 4, mChannelsPerFrame: 2, mBitsPerChannel: 16,
      mReserved: 0)
    var description: CMAudioFormatDescription?
    var block: CMBlockBuffer?
    var packet: CMSampleBuffer?
    // UNSAFE: each call writes its result to a variable of this function.
    _ = unsafe CMAudioFormatDescriptionCreate(
      allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
      extensions: nil, formatDescriptionOut: &description)
    _ = unsafe CMBlockBufferCreateWithMemoryBlock(
      allocator: nil, memoryBlock: nil, blockLength: bytes.count, blockAllocator: nil, customBlockSource: nil,
      offsetToData: 0, dataLength: bytes.count, flags: 0, blockBufferOut: &block)
    guard let block, let description else { throw TestFailure(description: "CoreMedia created no packet") }
    _ = unsafe CMBlockBufferReplaceDataBytes(
      with: bytes, blockBuffer: block, offsetIntoDestination: 0, dataLength: bytes.count)
    _ = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: nil, dataBuffer: block, formatDescription: description, sampleCount: frames,
      presentationTimeStamp: CMTime(value: CMTimeValue(3 * 44_100 + number * frames), timescale: 44_100),
      packetDescriptions: nil, sampleBufferOut: &packet)
    guard let packet else { throw TestFailure(description: "CoreMedia created no packet") }
    return packet
  }
}
