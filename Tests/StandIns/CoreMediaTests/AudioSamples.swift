import CoreMedia
import Testing

/// Returns a format of 16-bit integers, as a phone delivers them: app audio is big-endian, the microphone little-endian.
func description(
  rate: Double = 44_100, channels: UInt32 = 2, flags: AudioFormatFlags = kAudioFormatFlagIsBigEndian,
  formatID: AudioFormatID = kAudioFormatLinearPCM
) -> AudioStreamBasicDescription {
  let isInterleaved = flags & kAudioFormatFlagIsNonInterleaved == 0
  let bytes = isInterleaved ? 2 * channels : 2
  return AudioStreamBasicDescription(
    mSampleRate: rate, mFormatID: formatID,
    mFormatFlags: flags | kAudioFormatFlagIsSignedInteger | kAudioFormatFlagIsPacked, mBytesPerPacket: bytes,
    mFramesPerPacket: 1, mBytesPerFrame: bytes, mChannelsPerFrame: channels, mBitsPerChannel: 16, mReserved: 0
  )
}

func makeDescription(_ stream: AudioStreamBasicDescription) throws -> CMAudioFormatDescription {
  var stream = stream
  var result: CMAudioFormatDescription?
  // UNSAFE: the parameters are local variables.
  let code = unsafe CMAudioFormatDescriptionCreate(
    allocator: kCFAllocatorDefault, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0,
    magicCookie: nil, extensions: nil, formatDescriptionOut: &result)
  #expect(code == 0)
  return try #require(result)
}

func makeBlock(_ bytes: [UInt8]) throws -> CMBlockBuffer {
  var block: CMBlockBuffer?
  // UNSAFE: the out parameter is a local variable.
  let code = unsafe CMBlockBufferCreateWithMemoryBlock(
    allocator: kCFAllocatorDefault, memoryBlock: nil, blockLength: bytes.count,
    blockAllocator: kCFAllocatorDefault, customBlockSource: nil, offsetToData: 0, dataLength: bytes.count,
    flags: kCMBlockBufferAssureMemoryNowFlag, blockBufferOut: &block)
  #expect(code == kCMBlockBufferNoErr)
  let buffer = try #require(block)
  // UNSAFE: the bytes of the array are valid for the call.
  let copied = unsafe CMBlockBufferReplaceDataBytes(
    with: bytes, blockBuffer: buffer, offsetIntoDestination: 0, dataLength: bytes.count)
  #expect(copied == kCMBlockBufferNoErr)
  return buffer
}
