import CoreVideo
import ReplayKit
import Testing

/// A sample of the screen as ReplayKit hands it over; by default of a small picture.
package func makeSample(
  _ picture: CVPixelBuffer? = nil, orientation: CGImagePropertyOrientation? = .up, time: CMTime = .zero
) throws -> CMSampleBuffer {
  let picture = try picture ?? makeFilledPicture(10, 20)
  var description: CMVideoFormatDescription?
  var sample: CMSampleBuffer?
  var timing = CMSampleTimingInfo(
    duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid)
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
