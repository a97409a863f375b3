import ReplayKit
import Testing

/// Returns a sample of a small frame.
func makeSample(orientation: CGImagePropertyOrientation = .up) throws -> CMSampleBuffer {
  var image: CVPixelBuffer?
  var description: CMVideoFormatDescription?
  var sample: CMSampleBuffer?
  var timing = CMSampleTimingInfo()
  // UNSAFE: the parameters are local variables.
  _ = unsafe CVPixelBufferCreate(
    kCFAllocatorDefault, 10, 20, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, nil, &image)
  let picture = try #require(image)
  _ = unsafe CMVideoFormatDescriptionCreateForImageBuffer(
    allocator: nil, imageBuffer: picture, formatDescriptionOut: &description)
  _ = unsafe CMSampleBufferCreateReadyWithImageBuffer(
    allocator: nil, imageBuffer: picture, formatDescription: try #require(description),
    sampleTiming: &timing, sampleBufferOut: &sample)
  let made = try #require(sample)
  CMSetAttachment(
    made, key: RPVideoSampleOrientationKey as CFString, value: NSNumber(value: orientation.rawValue),
    attachmentMode: kCMAttachmentMode_ShouldPropagate)
  return made
}
