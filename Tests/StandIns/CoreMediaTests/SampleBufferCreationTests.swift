import CoreMedia
import Testing

@Suite struct SampleBufferCreationTests {
  /// Calls `CMSampleBufferCreate` for audio of two channels of 16 bits, or for another format.
  private func create(
    _ data: CMBlockBuffer?, ready: Bool = true, as format: CMFormatDescription? = nil, samples: Int = 2,
    times: [CMSampleTimingInfo] = [.invalid], sizes: [Int] = []
  ) throws -> (code: OSStatus, sample: CMSampleBuffer?) {
    var sample: CMSampleBuffer?
    // UNSAFE: the arrays have the lengths that are stated.
    let code = unsafe CMSampleBufferCreate(
      allocator: nil, dataBuffer: data, dataReady: ready, makeDataReadyCallback: nil, refcon: nil,
      formatDescription: try format ?? makeDescription(description()), sampleCount: samples,
      sampleTimingEntryCount: times.count, sampleTimingArray: times, sampleSizeEntryCount: sizes.count,
      sampleSizeArray: sizes, sampleBufferOut: &sample)
    return (code, sample)
  }

  private func timing(_ time: CMTimeValue, duration: CMTimeValue = 1) -> CMSampleTimingInfo {
    CMSampleTimingInfo(
      duration: CMTime(value: duration, timescale: 10),
      presentationTimeStamp: CMTime(value: time, timescale: 10), decodeTimeStamp: .invalid)
  }

  @Test func dataMayComeLater() throws {
    let (code, made) = try create(nil, ready: false)
    let sample = try #require(made)
    #expect(code == 0 && sample.numSamples == 2 && sample.dataReadiness == .notReady)
    #expect(CMSampleBufferGetDataBuffer(sample) == nil && !CMSampleBufferDataIsReady(sample))
    #expect(CMSampleBufferSetDataReady(sample) == kCMSampleBufferError_BufferNotReady)
    let block = try makeBlock([1, 2, 3, 4, 5, 6, 7, 8])
    #expect(CMSampleBufferSetDataBuffer(sample, newValue: block) == 0)
    #expect(CMSampleBufferSetDataBuffer(sample, newValue: block) == kCMSampleBufferError_AlreadyHasDataBuffer)
    #expect(CMSampleBufferSetDataReady(sample) == 0)
    #expect(CMSampleBufferGetDataBuffer(sample) === block && CMSampleBufferDataIsReady(sample))
  }

  @Test func dataMayComeFromAList() throws {
    let format = try makeDescription(description())
    var made: CMSampleBuffer?
    func create(ready: Bool) -> OSStatus {
      // UNSAFE: the out parameter is a local variable.
      unsafe CMAudioSampleBufferCreateWithPacketDescriptions(
        allocator: nil, dataBuffer: nil, dataReady: ready, makeDataReadyCallback: nil, refcon: nil,
        formatDescription: format, sampleCount: 2, presentationTimeStamp: CMTime(value: 7, timescale: 10),
        packetDescriptions: nil, sampleBufferOut: &made)
    }
    #expect((create(ready: true), create(ready: false)) == (kCMSampleBufferError_RequiredParameterMissing, 0))
    let sample = try #require(made)
    #expect(sample.dataReadiness == .notReady && sample.duration == CMTime(value: 2, timescale: 44_100))
    var bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    func set(_ count: UInt32) -> OSStatus {
      // UNSAFE: the list is of local bytes, and is read during the call.
      unsafe bytes.withUnsafeMutableBytes { memory in
        var list = unsafe AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(mNumberChannels: 2, mDataByteSize: count, mData: memory.baseAddress))
        return unsafe CMSampleBufferSetDataBufferFromAudioBufferList(
          sample, blockBufferAllocator: nil, blockBufferMemoryAllocator: nil, flags: 0, bufferList: &list)
      }
    }
    #expect((set(7), set(8)) == (kCMSampleBufferError_InvalidSampleData, 0))
    #expect(sample.dataBuffer?.bytes == bytes)
  }

  /// The functions that read samples rely on this check.
  @Test(arguments: [true, false]) func dataWithFewerBytesThanItsFramesIsRefusedHoweverItComes(ready: Bool)
    throws
  {
    let block = try makeBlock([1, 2, 3, 4, 5, 6, 7])
    #expect(try create(block, ready: ready).code == kCMSampleBufferError_InvalidSampleData)
    let sample = try #require(create(nil, ready: false).sample)
    #expect(CMSampleBufferSetDataBuffer(sample, newValue: block) == kCMSampleBufferError_InvalidSampleData)
    #expect(CMSampleBufferSetDataReady(sample) == kCMSampleBufferError_BufferNotReady)
    let huge = try #require(create(nil, ready: false, samples: .max, times: []).sample)
    #expect(CMSampleBufferSetDataBuffer(huge, newValue: block) == kCMSampleBufferError_InvalidSampleData)
  }

  @Test func readyDataIsNeeded() throws {
    #expect(try create(nil).code == kCMSampleBufferError_RequiredParameterMissing)
    #expect(try create(nil, samples: 0, times: []).code == 0)
  }

  @Test func entriesAreNoneOneOrAsManyAsSamples() throws {
    let block = try makeBlock(Array(0..<12))
    for count in 0...4 {
      let isPossible = count == 0 || count == 1 || count == 3
      let code = isPossible ? 0 : kCMSampleBufferError_InvalidEntryCount
      let times = Array(repeating: timing(1), count: count)
      #expect(try create(block, samples: 3, times: times).code == code)
      #expect(try create(block, samples: 3, sizes: Array(repeating: 4, count: count)).code == code)
    }
  }

  @Test func encodedVideoCanBeCreated() throws {
    let format = try #require(
      CMFormatDescription(
        h264: [1, 66, 0, 10, 255, 225, 0, 1, 103, 1, 0, 1, 104],
        dimensions: CMVideoDimensions(width: 4, height: 4)))
    let block = try makeBlock([0, 0, 0, 1, 5])
    let (code, sample) = try create(block, as: format, samples: 1, times: [timing(7)], sizes: [5])
    #expect(code == 0 && sample?.presentationTimeStamp == CMTime(value: 7, timescale: 10))
    #expect(sample.map(CMSampleBufferGetTotalSampleSize) == 5)
  }

  @Test func eachSampleHasItsTimeAndItsSize() throws {
    let times = [timing(9), timing(2, duration: 3)]
    let sample = try #require(create(makeBlock(Array(0..<8)), times: times, sizes: [5, 3]).sample)
    #expect(sample.presentationTimeStamp == CMTime(value: 2, timescale: 10))
    #expect(sample.duration == CMTime(value: 4, timescale: 10))
    #expect((0..<3).map { CMSampleBufferGetSampleSize(sample, at: $0) } == [5, 3, 0])
    #expect(CMSampleBufferGetTotalSampleSize(sample) == 8)
    var (read, count) = ([CMSampleTimingInfo](repeating: .invalid, count: 2), 0)
    // UNSAFE: the array has the entries that are stated.
    func fill(_ entries: Int) -> OSStatus {
      unsafe CMSampleBufferGetSampleTimingInfoArray(
        sample, entryCount: entries, arrayToFill: &read, entriesNeededOut: &count)
    }
    #expect(fill(1) == kCMSampleBufferError_ArrayTooSmall && count == 2)
    #expect(fill(2) == 0 && read.map(\.presentationTimeStamp) == times.map(\.presentationTimeStamp))
  }

  @Test func aBufferMayHaveNoTimes() throws {
    let sample = try #require(create(makeBlock(Array(0..<8)), times: []).sample)
    var (timing, count) = (CMSampleTimingInfo.invalid, 9)
    // UNSAFE: the out parameters are local variables.
    #expect(
      unsafe CMSampleBufferGetSampleTimingInfo(sample, at: 0, timingInfoOut: &timing)
        == kCMSampleBufferError_BufferHasNoSampleTimingInfo)
    #expect(
      unsafe CMSampleBufferGetSampleTimingInfoArray(
        sample, entryCount: 0, arrayToFill: nil, entriesNeededOut: &count)
        == kCMSampleBufferError_BufferHasNoSampleTimingInfo)
    #expect(count == 0 && !sample.presentationTimeStamp.isValid)
  }

  @Test func aCopyNeedsNoneOneOrAsManyTimesAsSamples() throws {
    let sample = try #require(create(makeBlock(Array(0..<12)), samples: 3).sample)
    for count in 0...4 {
      var copy: CMSampleBuffer?
      let times = Array(repeating: timing(4), count: count)
      // UNSAFE: the array has the entries that are stated.
      let code = unsafe CMSampleBufferCreateCopyWithNewTiming(
        allocator: nil, sampleBuffer: sample, sampleTimingEntryCount: count, sampleTimingArray: times,
        sampleBufferOut: &copy)
      let isPossible = count == 0 || count == 1 || count == 3
      #expect(code == (isPossible ? 0 : kCMSampleBufferError_InvalidEntryCount))
      #expect((copy != nil) == isPossible)
    }
  }

  @Test func aCopyHasTheSamplesAndTheAttachmentsThatPropagate() throws {
    let sample = try #require(create(makeBlock(Array(0..<8)), times: [timing(3)]).sample)
    CMSetAttachment(sample, key: "a", value: 1, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    CMSetAttachment(sample, key: "b", value: 2, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    var made: CMSampleBuffer?
    // UNSAFE: the out parameter is a local variable.
    #expect(
      unsafe CMSampleBufferCreateCopy(allocator: nil, sampleBuffer: sample, sampleBufferOut: &made) == 0)
    let copy = try #require(made)
    #expect(
      copy.presentationTimeStamp == sample.presentationTimeStamp && copy.dataBuffer === sample.dataBuffer)
    #expect(CMGetAttachment(copy, key: "a", attachmentModeOut: nil)?.intValue == 1)
    #expect(CMGetAttachment(copy, key: "b", attachmentModeOut: nil) == nil)
  }

  @Test func eachSampleHasADictionaryWhoseChangesAreKept() throws {
    let sample = try #require(create(makeBlock(Array(0..<8))).sample)
    #expect(CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false) == nil)
    let array = try #require(CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true))
    #expect(array.count == 2)
    let second = try #require(array[1] as? NSMutableDictionary)
    second[kCMSampleAttachmentKey_NotSync] = true
    let again = CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: false)
    let read = try #require(again as? [[CFString: Any]])
    #expect(read[0].isEmpty && read[1][kCMSampleAttachmentKey_NotSync] as? Bool == true)
  }

  @Test func aFrameMayBeCreatedBeforeItsPixels() throws {
    let pixels = try makeImage()
    var (timing, sample) = (timing(1), CMSampleBuffer?.none)
    // UNSAFE: the parameters are local variables.
    let code = unsafe CMSampleBufferCreateForImageBuffer(
      allocator: nil, imageBuffer: pixels, dataReady: false, makeDataReadyCallback: nil, refcon: nil,
      formatDescription: try makeDescription(pixels), sampleTiming: &timing, sampleBufferOut: &sample)
    #expect(code == 0)
    #expect(sample.map(CMSampleBufferDataIsReady) == false && sample.map(CMSampleBufferSetDataReady) == 0)
    #expect(sample.map(CMSampleBufferDataIsReady) == true)
  }
}
