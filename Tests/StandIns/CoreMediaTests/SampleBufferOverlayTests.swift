import CoreMedia
import Testing

@Suite struct SampleBufferOverlayTests {
  private func audio() throws -> CMSampleBuffer {
    var sample: CMSampleBuffer?
    var timing = CMSampleTimingInfo(
      duration: CMTime(value: 1, timescale: 44_100), presentationTimeStamp: CMTime(value: 5, timescale: 10),
      decodeTimeStamp: .invalid)
    // UNSAFE: the parameters are local variables.
    let code = unsafe CMSampleBufferCreate(
      allocator: kCFAllocatorDefault, dataBuffer: try makeBlock([1, 2, 3, 4, 5, 6, 7, 8]), dataReady: true,
      makeDataReadyCallback: nil, refcon: nil, formatDescription: try makeDescription(description()),
      sampleCount: 2, sampleTimingEntryCount: 1, sampleTimingArray: &timing, sampleSizeEntryCount: 0,
      sampleSizeArray: nil, sampleBufferOut: &sample)
    #expect(code == 0)
    return try #require(sample)
  }

  @Test func invalidatesOnce() throws {
    let sample = try audio()
    #expect(sample.dataReadiness == .ready)
    try sample.invalidate()
    #expect(sample.dataReadiness == .failed(kCMSampleBufferError_Invalidated))
    #expect(throws: NSError.self) { try sample.invalidate() }
    #expect(CMSampleBufferInvalidate(sample) == kCMSampleBufferError_Invalidated)
  }

  @Test(arguments: [(-1, -12734), (0, 0), (1, 0), (2, -12734)] as [(Int, OSStatus)])
  func returnsTheTimesOfEachSample(index: Int, code: OSStatus) throws {
    let sample = try audio()
    var timing = CMSampleTimingInfo.invalid
    // UNSAFE: the out parameter is a local variable.
    #expect(unsafe CMSampleBufferGetSampleTimingInfo(sample, at: index, timingInfoOut: &timing) == code)
    guard code == 0 else { return }
    let expected = CMTimeAdd(
      CMTime(value: 5, timescale: 10), CMTime(value: CMTimeValue(index), timescale: 44_100))
    #expect(timing.presentationTimeStamp == expected)
    try sample.invalidate()
    #expect(
      unsafe CMSampleBufferGetSampleTimingInfo(sample, at: index, timingInfoOut: &timing)
        == kCMSampleBufferError_Invalidated)
  }

  @Test func lendsTheBuffersOfAudio() throws {
    // UNSAFE: the list is valid for the call.
    let bytes = try unsafe audio().withAudioBufferList { list, _ in
      unsafe list.map { unsafe ($0.mNumberChannels, Data(bytes: $0.mData!, count: Int($0.mDataByteSize))) }
    }
    #expect(bytes.map(\.0) == [2] && bytes.map(\.1) == [Data([1, 2, 3, 4, 5, 6, 7, 8])])
  }

  @Test func copiesWithNewTimes() throws {
    let sample = try audio()
    CMSetAttachment(sample, key: "a", value: 3, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    CMSetAttachment(sample, key: "b", value: 4, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    var timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: CMTime(value: 9, timescale: 1), decodeTimeStamp: .zero)
    var made: CMSampleBuffer?
    let code = unsafe CMSampleBufferCreateCopyWithNewTiming(
      allocator: nil, sampleBuffer: sample, sampleTimingEntryCount: 1, sampleTimingArray: &timing,
      sampleBufferOut: &made)
    let copy = try #require(made)
    #expect(
      (code, copy.numSamples, copy.presentationTimeStamp, copy.decodeTimeStamp) == (
        0, 2, timing.presentationTimeStamp, .zero
      ))
    #expect(
      ["a", "b"].map { CMGetAttachment(copy, key: $0 as CFString, attachmentModeOut: nil)?.intValue } == [
        3, nil,
      ])
  }

  @Test func initializesACopyWithNewTimes() throws {
    let sample = try audio()
    CMSetAttachment(sample, key: "a", value: 3, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    var timing = CMSampleTimingInfo.invalid
    timing.presentationTimeStamp = CMTime(value: 9, timescale: 1)
    let copy = try CMSampleBuffer(copying: sample, withNewTiming: [timing])
    #expect(copy.presentationTimeStamp == CMTime(value: 9, timescale: 1) && copy.numSamples == 2)
    #expect(copy.dataBuffer === sample.dataBuffer && sample.presentationTimeStamp.seconds == 0.5)
    #expect(CMGetAttachment(copy, key: "a", attachmentModeOut: nil)?.intValue == 3)
    let count = #expect(throws: NSError.self) {
      try CMSampleBuffer(copying: sample, withNewTiming: [timing, timing, timing])
    }
    #expect(count?.code == Int(kCMSampleBufferError_InvalidEntryCount))
    try sample.invalidate()
    let invalid = #expect(throws: NSError.self) {
      try CMSampleBuffer(copying: sample, withNewTiming: [timing])
    }
    #expect(invalid?.code == Int(kCMSampleBufferError_Invalidated))
  }

  @Test func theHostClockRuns() {
    let first = CMClockGetTime(CMClockGetHostTimeClock())
    #expect(first.timescale == 1_000_000_000 && first <= CMClock.hostTimeClock.time)
  }
}
