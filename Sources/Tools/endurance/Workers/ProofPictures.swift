import CoreMedia
import CoreVideo
import PixelAccess
import ReplayKit
import TestPatterns

/// Pictures of the `proof` pattern, one buffer for each size.
struct ProofPictures {
  /// Why there is no picture.
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private static let format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange

  private struct Side: Hashable {
    var width: Int
    var height: Int
  }

  private var canvases: [Side: (painter: PatternPainter, buffer: CVPixelBuffer)] = [:]

  /// Frame `number` of a size; overwritten by the next one of that size.
  mutating func picture(width: Int, height: Int, number: UInt64) throws -> CVPixelBuffer {
    let side = Side(width: width, height: height)
    let canvas =
      try canvases[side]
      ?? (
        PatternPainter(
          .proof, width: width, height: height, pixelFormat: Self.format, framesPerSecond: 60),
        PixelBufferPool(width: width, height: height, pixelFormat: Self.format).makeBuffer()
      )
    canvases[side] = canvas
    try canvas.painter.paint(frame: number, into: canvas.buffer)
    return canvas.buffer
  }

  /// A picture as ReplayKit hands it over, taken at `time`, in monotonic nanoseconds.
  static func sample(of picture: CVPixelBuffer, time: UInt64) throws -> CMSampleBuffer {
    var timing = CMSampleTimingInfo(
      duration: .invalid,
      presentationTimeStamp: CMTime(value: Int64(clamping: time), timescale: 1_000_000_000),
      decodeTimeStamp: .invalid)
    var description: CMVideoFormatDescription?
    var sample: CMSampleBuffer?
    // UNSAFE: Core Media's out parameters, all of them local variables.
    _ = unsafe CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: picture, formatDescriptionOut: &description)
    guard let description else { throw Failure(description: "no description of a picture can be made") }
    _ = unsafe CMSampleBufferCreateReadyWithImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: picture, formatDescription: description,
      sampleTiming: &timing, sampleBufferOut: &sample)
    guard let sample else { throw Failure(description: "no sample of a picture can be made") }
    CMSetAttachment(
      sample, key: RPVideoSampleOrientationKey as CFString,
      value: CGImagePropertyOrientation.up.rawValue as NSNumber,
      attachmentMode: kCMAttachmentMode_ShouldPropagate)
    return sample
  }
}
