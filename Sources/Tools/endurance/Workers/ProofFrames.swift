import CommandLineSupport
import CoreMedia
import CoreVideo
import PixelAccess
import Platform
import ReplayKit
import TestPatterns

/// Frames of the `proof` pattern, one buffer for each size.
struct ProofFrames {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  private static let format = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange

  private var canvases: [PixelSize: (painter: PatternPainter, buffer: CVPixelBuffer)] = [:]

  /// Frame `number` of a size, valid until the next frame of that size.
  mutating func frame(width: Int, height: Int, number: UInt64) throws -> CVPixelBuffer {
    let size = PixelSize(width: width, height: height)
    let canvas =
      try canvases[size]
      ?? (
        PatternPainter(
          .proof, width: width, height: height, pixelFormat: Self.format, framesPerSecond: 60),
        PixelBufferPool(width: width, height: height, pixelFormat: Self.format).makeBuffer()
      )
    canvases[size] = canvas
    try canvas.painter.paint(frame: number, into: canvas.buffer)
    return canvas.buffer
  }

  /// A frame as ReplayKit delivers it, captured at `time`.
  static func sample(of frame: CVPixelBuffer, time: MonotonicTime) throws -> CMSampleBuffer {
    var timing = CMSampleTimingInfo(
      duration: .invalid,
      presentationTimeStamp: CMTime(value: Int64(clamping: time.nanoseconds), timescale: 1_000_000_000),
      decodeTimeStamp: .invalid)
    var description: CMVideoFormatDescription?
    var sample: CMSampleBuffer?
    // UNSAFE: Core Media's out parameters, all of them local variables.
    _ = unsafe CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: frame, formatDescriptionOut: &description)
    guard let description else { throw Failure(description: "no description of a frame can be created") }
    _ = unsafe CMSampleBufferCreateReadyWithImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: frame, formatDescription: description,
      sampleTiming: &timing, sampleBufferOut: &sample)
    guard let sample else { throw Failure(description: "no sample of a frame can be created") }
    CMSetAttachment(
      sample, key: RPVideoSampleOrientationKey as CFString,
      value: CGImagePropertyOrientation.up.rawValue as NSNumber,
      attachmentMode: kCMAttachmentMode_ShouldPropagate)
    return sample
  }
}
