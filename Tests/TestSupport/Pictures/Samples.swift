import ReplayKit

/// Returns a video sample as ReplayKit delivers it (default: with a small picture).
package func makeSample(
  _ picture: CVPixelBuffer? = nil, orientation: CGImagePropertyOrientation? = .up, time: CMTime = .zero
) throws -> CMSampleBuffer {
  let picture = try picture ?? makeFilledPicture(10, 20)
  var description: CMVideoFormatDescription?
  var sample: CMSampleBuffer?
  var timing = CMSampleTimingInfo(duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid)
  // UNSAFE: the parameters are local variables.
  _ = unsafe CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: nil, imageBuffer: picture, formatDescriptionOut: &description)
  _ = unsafe CMSampleBufferCreateReadyWithImageBuffer(
    allocator: nil, imageBuffer: picture, formatDescription: try #require(description), sampleTiming: &timing,
    sampleBufferOut: &sample)
  let made = try #require(sample)
  if let orientation {
    CMSetAttachment(
      made, key: RPVideoSampleOrientationKey as CFString, value: NSNumber(value: orientation.rawValue),
      attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
  }
  return made
}

/// Returns a packet of linear PCM as ReplayKit delivers it, with interleaved signed samples.
package func makeAudioSample(
  _ bytes: [UInt8], sampleRate: Double, channelCount: Int, isBigEndian: Bool, bits: UInt32 = 16,
  at time: CMTime
) throws -> CMSampleBuffer {
  let bytesPerFrame = UInt32(channelCount) * bits / 8
  var stream = AudioStreamBasicDescription(
    mSampleRate: sampleRate, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked
      | (isBigEndian ? kAudioFormatFlagIsBigEndian : 0),
    mBytesPerPacket: bytesPerFrame, mFramesPerPacket: 1, mBytesPerFrame: bytesPerFrame,
    mChannelsPerFrame: UInt32(channelCount), mBitsPerChannel: bits, mReserved: 0)
  var (format, block, sample) = (CMFormatDescription?.none, CMBlockBuffer?.none, CMSampleBuffer?.none)
  // UNSAFE: the parameters are local variables.
  _ = unsafe CMAudioFormatDescriptionCreate(
    allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
    extensions: nil, formatDescriptionOut: &format)
  _ = unsafe CMBlockBufferCreateWithMemoryBlock(
    allocator: nil, memoryBlock: nil, blockLength: bytes.count, blockAllocator: nil, customBlockSource: nil,
    offsetToData: 0, dataLength: bytes.count, flags: 0, blockBufferOut: &block)
  let data = try #require(block)
  _ = unsafe CMBlockBufferReplaceDataBytes(
    with: bytes, blockBuffer: data, offsetIntoDestination: 0, dataLength: bytes.count)
  let code = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
    allocator: nil, dataBuffer: data, formatDescription: try #require(format),
    sampleCount: bytes.count / Int(bytesPerFrame), presentationTimeStamp: time, packetDescriptions: nil,
    sampleBufferOut: &sample)
  #expect(code == 0)
  return try #require(sample)
}
