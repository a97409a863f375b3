import CoreMedia
import Testing

@Suite struct CMSampleBufferTests {
  private func makeSample(
    _ image: CVImageBuffer, describedAs description: CMVideoFormatDescription
  ) -> (code: OSStatus, sample: CMSampleBuffer?) {
    var timing = CMSampleTimingInfo(
      duration: CMTime(value: 1, timescale: 60),
      presentationTimeStamp: CMTime(value: 7, timescale: 60), decodeTimeStamp: .invalid)
    var sample: CMSampleBuffer?
    // UNSAFE: the parameters are local variables.
    let code = unsafe CMSampleBufferCreateReadyWithImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: image, formatDescription: description,
      sampleTiming: &timing, sampleBufferOut: &sample)
    return (code, sample)
  }

  private func makeSample() throws -> CMSampleBuffer {
    let image = try makeImage()
    return try #require(makeSample(image, describedAs: makeDescription(image)).sample)
  }

  @Test func aDescriptionReturnsFormatAndSize() throws {
    let description = try makeDescription(makeImage(width: 7, height: 5))
    #expect(CMFormatDescriptionGetMediaType(description) == kCMMediaType_Video)
    #expect(CMFormatDescriptionGetMediaSubType(description) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange)
    let dimensions = CMVideoFormatDescriptionGetDimensions(description)
    #expect(dimensions == CMVideoDimensions(width: 7, height: 5))
  }

  @Test func aSampleHasItsImageAndItsTime() throws {
    let image = try makeImage()
    let sample = try #require(makeSample(image, describedAs: makeDescription(image)).sample)
    let times = [CMSampleBufferGetDuration(sample), CMSampleBufferGetPresentationTimeStamp(sample)]
    #expect(times == [CMTime(value: 1, timescale: 60), CMTime(value: 7, timescale: 60)])
    #expect(CMSampleBufferGetImageBuffer(sample) === image && CMSampleBufferGetNumSamples(sample) == 1)
    #expect(CMSampleBufferIsValid(sample) && CMSampleBufferDataIsReady(sample))
    #expect(CMSampleBufferGetFormatDescription(sample) != nil)
  }

  @Test func aDescriptionOfAnotherImageIsRefused() throws {
    let other = try makeDescription(makeImage(width: 8))
    let (code, sample) = makeSample(try makeImage(), describedAs: other)
    #expect(code == kCMSampleBufferError_InvalidMediaFormat && sample == nil)
  }

  @Test func anInvalidatedSampleReleasesItsImage() throws {
    let sample = try makeSample()
    weak let image = CMSampleBufferGetImageBuffer(sample)
    #expect(image != nil)
    #expect(CMSampleBufferInvalidate(sample) == 0)
    #expect(image == nil && !CMSampleBufferIsValid(sample))
    #expect(CMSampleBufferGetImageBuffer(sample) == nil && CMSampleBufferGetFormatDescription(sample) == nil)
    #expect(!CMSampleBufferGetPresentationTimeStamp(sample).isValid)
    #expect(!CMSampleBufferGetDuration(sample).isValid && !CMSampleBufferGetDecodeTimeStamp(sample).isValid)
    #expect(CMSampleBufferGetNumSamples(sample) == 0 && !CMSampleBufferDataIsReady(sample))
    #expect(CMSampleBufferGetSampleAttachmentsArray(sample, createIfNecessary: true) == nil)
    #expect(CMSampleBufferInvalidate(sample) == kCMSampleBufferError_Invalidated)
  }

  @Test func attachmentsAreReadWithTheirMode() throws {
    let sample = try makeSample()
    CMSetAttachment(
      sample, key: "turn" as CFString, value: NSNumber(value: 6),
      attachmentMode: kCMAttachmentMode_ShouldPropagate)
    var mode: CMAttachmentMode = 99
    // UNSAFE: the out parameter is a local variable.
    let value = unsafe CMGetAttachment(sample, key: "turn" as CFString, attachmentModeOut: &mode)
    #expect(value?.uint32Value == 6 && (value as? NSNumber)?.intValue == 6)
    #expect(mode == kCMAttachmentMode_ShouldPropagate)
  }

  @Test func anAbsentAttachmentIsNil() throws {
    let sample = try makeSample()
    #expect(CMGetAttachment(sample, key: "turn", attachmentModeOut: nil) == nil)
    CMSetAttachment(sample, key: "turn", value: 1, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    CMSetAttachment(sample, key: "turn", value: nil, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    #expect(CMGetAttachment(sample, key: "turn", attachmentModeOut: nil) == nil)
    CMSetAttachment(sample, key: "turn", value: 2, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    CMRemoveAttachment(sample, key: "turn")
    #expect(CMGetAttachment(sample, key: "turn", attachmentModeOut: nil) == nil)
  }
}
