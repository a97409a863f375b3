import Testing

@testable import CoreMedia

@Suite struct AudioSampleBufferTests {
  private func makeSample(
    _ stream: AudioStreamBasicDescription = description(), bytes: [UInt8], frames: Int
  ) throws -> (code: OSStatus, sample: CMSampleBuffer?) {
    var sample: CMSampleBuffer?
    let (block, description) = (try makeBlock(bytes), try makeDescription(stream))
    // UNSAFE: the out parameter is a local variable.
    let code = unsafe CMAudioSampleBufferCreateReadyWithPacketDescriptions(
      allocator: kCFAllocatorDefault, dataBuffer: block, formatDescription: description, sampleCount: frames,
      presentationTimeStamp: CMTime(value: 5, timescale: 44_100), packetDescriptions: nil,
      sampleBufferOut: &sample)
    return (code, sample)
  }

  @Test func aDescriptionReturnsItsNineFields() throws {
    let stream = description(rate: 48_000, channels: 1, flags: 0)
    let description = try makeDescription(stream)
    #expect(CMFormatDescriptionGetMediaType(description) == kCMMediaType_Audio)
    #expect(CMFormatDescriptionGetMediaSubType(description) == kAudioFormatLinearPCM)
    #expect(CMVideoFormatDescriptionGetDimensions(description) == CMVideoDimensions())
    // UNSAFE: read while the description lives.
    let pointer = unsafe CMAudioFormatDescriptionGetStreamBasicDescription(description)
    #expect(unsafe pointer?.pointee == stream)
    withExtendedLifetime(description) {}
  }

  @Test func aDescriptionReturnsItsLayoutAndItsCookie() throws {
    var (stream, layout) = (description(), AudioChannelLayout())
    layout.mChannelLayoutTag = kAudioChannelLayoutTag_Stereo
    var made: CMAudioFormatDescription?
    // UNSAFE: the parameters are local variables.
    let code = unsafe CMAudioFormatDescriptionCreate(
      allocator: nil, asbd: &stream, layoutSize: MemoryLayout<AudioChannelLayout>.size, layout: &layout,
      magicCookieSize: 3, magicCookie: [1, 2, 3] as [UInt8], extensions: nil, formatDescriptionOut: &made)
    #expect(code == 0)
    let description = try #require(made)
    var size = 0
    #expect(
      unsafe CMAudioFormatDescriptionGetChannelLayout(description, sizeOut: &size)?.pointee.mChannelLayoutTag
        == kAudioChannelLayoutTag_Stereo)
    #expect(size == MemoryLayout<AudioChannelLayout>.size)
    let cookie = unsafe CMAudioFormatDescriptionGetMagicCookie(description, sizeOut: &size)
    #expect(size == 3)
    #expect(unsafe cookie?.load(fromByteOffset: 2, as: UInt8.self) == 3)
    withExtendedLifetime(description) {}
  }

  @Test(arguments: [0, -1, .infinity, .nan]) func aRateThatIsNotPositiveIsRefused(rate: Double) {
    var (stream, made) = (description(rate: rate), CMAudioFormatDescription?.none)
    // UNSAFE: the parameters are local variables.
    let code = unsafe CMAudioFormatDescriptionCreate(
      allocator: nil, asbd: &stream, layoutSize: 0, layout: nil, magicCookieSize: 0, magicCookie: nil,
      extensions: nil, formatDescriptionOut: &made)
    #expect(code == kCMFormatDescriptionError_InvalidParameter && made == nil)
  }

  @Test func aPacketHasItsBytesAndItsTime() throws {
    let sample = try #require(makeSample(bytes: Array(0..<16), frames: 4).sample)
    let times = [CMSampleBufferGetDuration(sample), CMSampleBufferGetPresentationTimeStamp(sample)]
    #expect(times == [CMTime(value: 4, timescale: 44_100), CMTime(value: 5, timescale: 44_100)])
    #expect(CMSampleBufferGetNumSamples(sample) == 4 && CMSampleBufferDataIsReady(sample))
    #expect(CMSampleBufferGetImageBuffer(sample) == nil)
    #expect(CMSampleBufferGetDataBuffer(sample)?.bytes == Array(0..<16))
  }

  @Test func bytesThatDoNotFitTheFramesAreRefused() throws {
    var large = description(channels: .max, flags: kAudioFormatFlagIsNonInterleaved)
    large.mBytesPerFrame = .max
    let codes = [
      try makeSample(bytes: Array(0..<15), frames: 4), try makeSample(bytes: [1], frames: .max),
      try makeSample(large, bytes: [1], frames: 1), try makeSample(bytes: [1, 2, 3, 4], frames: 0),
      try makeSample(description(formatID: 0x6161_6320), bytes: [1, 2, 3, 4], frames: 1),
    ].map(\.code)
    #expect(
      codes == Array(repeating: kCMSampleBufferError_InvalidSampleData, count: 3) + [
        kCMSampleBufferError_InvalidEntryCount, kCMSampleBufferError_InvalidMediaFormat,
      ])
  }

  @Test func aPacketLargerThanABufferListHoldsIsRefused() throws {
    var (byte, block, list) = unsafe (UInt8(0), CMBlockBuffer?.none, AudioBufferList())
    let frames = 1 << 30
    // UNSAFE: the block claims bytes that it does not have and that are never accessed; the others are local variables.
    let code = unsafe CMBlockBufferCreateWithMemoryBlock(
      allocator: nil, memoryBlock: &byte, blockLength: 4 * frames, blockAllocator: kCFAllocatorNull,
      customBlockSource: nil, offsetToData: 0, dataLength: 4 * frames, flags: 0, blockBufferOut: &block)
    #expect(code == kCMBlockBufferNoErr)
    let sample = CMSampleBuffer(
      CMSampleBuffer.State(
        content: .data(try #require(block)), formatDescription: try makeDescription(description()),
        sampleCount: frames, timings: [.invalid]))
    unsafe #expect(
      CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        sample, bufferListSizeNeededOut: nil, bufferListOut: &list,
        bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil,
        blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil)
        == kCMSampleBufferError_InvalidSampleData)
  }

  @Test(arguments: [
    (CMTime(value: .max, timescale: 1), CMTime.positiveInfinity),
    (CMTime(value: .min, timescale: 1), .negativeInfinity),
    (CMTime(value: .max, timescale: 4), CMTime(value: .max, timescale: 1)),
    (.indefinite, .indefinite), (.invalid, .invalid),
  ])
  func aDurationThatDoesNotFitIsRoundedOrInfinite(of frame: CMTime, total: CMTime) throws {
    let timing = CMSampleTimingInfo(duration: frame, presentationTimeStamp: .zero, decodeTimeStamp: .invalid)
    let sample = CMSampleBuffer(
      CMSampleBuffer.State(
        content: .data(try makeBlock(Array(0..<16))), formatDescription: try makeDescription(description()),
        sampleCount: 4, timings: [timing]))
    #expect(sample.duration == total)
  }

  @Test func theBufferListPointsAtTheSamples() throws {
    let sample = try #require(makeSample(bytes: Array(0..<16), frames: 4).sample)
    var list = unsafe AudioBufferList()
    var block: CMBlockBuffer?
    // UNSAFE: local variables; the list is read while the block buffer is retained.
    let code = unsafe CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      sample, bufferListSizeNeededOut: nil, bufferListOut: &list,
      bufferListSize: MemoryLayout<AudioBufferList>.size, blockBufferAllocator: nil,
      blockBufferMemoryAllocator: nil, flags: kCMSampleBufferFlag_AudioBufferList_Assure16ByteAlignment,
      blockBufferOut: &block)
    #expect(code == 0)
    let buffers = unsafe UnsafeMutableAudioBufferListPointer(&list)
    #expect(unsafe buffers.map { unsafe $0.mNumberChannels } == [2])
    let bytes = unsafe buffers.flatMap { buffer in
      unsafe [UInt8](UnsafeRawBufferPointer(start: buffer.mData, count: Int(buffer.mDataByteSize)))
    }
    #expect(bytes == Array(0..<16))
    withExtendedLifetime(block) {}
  }

  @Test func separateChannelsHaveSeparateBuffers() throws {
    let planar = description(flags: kAudioFormatFlagIsNonInterleaved)
    let sample = try #require(makeSample(planar, bytes: Array(0..<8), frames: 2).sample)
    var size = 0
    // UNSAFE: the out parameter is a local variable.
    unsafe #expect(
      CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        sample, bufferListSizeNeededOut: &size, bufferListOut: nil, bufferListSize: 0,
        blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil) == 0)
    #expect(size == 40)
    let list = unsafe AudioBufferList.allocate(maximumBuffers: 2)
    defer { unsafe free(list.unsafeMutablePointer) }
    var block: CMBlockBuffer?
    func fill(_ size: Int) -> OSStatus {
      unsafe CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
        sample, bufferListSizeNeededOut: nil, bufferListOut: list.unsafeMutablePointer, bufferListSize: size,
        blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: &block)
    }
    #expect((fill(size - 1), fill(size)) == (kCMSampleBufferError_ArrayTooSmall, 0))
    #expect(unsafe list.map { unsafe $0.mDataByteSize } == [4, 4])
    #expect(unsafe list[1].mData?.load(as: UInt8.self) == 4)
    withExtendedLifetime(block) {}
  }

  @Test func anInvalidatedPacketReleasesItsBytes() throws {
    let sample = try #require(makeSample(bytes: Array(0..<16), frames: 4).sample)
    #expect(CMSampleBufferInvalidate(sample) == 0)
    #expect(CMSampleBufferGetDataBuffer(sample) == nil && CMSampleBufferGetNumSamples(sample) == 0)
    #expect(!CMSampleBufferIsValid(sample))
    let code = CMSampleBufferGetAudioBufferListWithRetainedBlockBuffer(
      sample, bufferListSizeNeededOut: nil, bufferListOut: nil, bufferListSize: 0, blockBufferAllocator: nil,
      blockBufferMemoryAllocator: nil, flags: 0, blockBufferOut: nil)
    #expect(code == kCMSampleBufferError_Invalidated)
  }
}
