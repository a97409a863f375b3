import CoreMedia
import CoreVideo
import PixelAccess
import ReplayKit

/// The screen of the emulated device: turns what it shows into the sample buffers ReplayKit delivers.
///
/// The pixel buffers are a small pool that is used again and again, as ReplayKit's are: a handler that keeps
/// one past `processSampleBuffer(_:with:)` sees later pictures bleed into it. Rows are aligned to 64 bytes.
@MainActor
public final class EmulatedScreen {
  /// What the screen shows.
  public let content: any ScreenContent
  /// How the device is held, told with every frame.
  public var orientation: CGImagePropertyOrientation
  /// The pixel format of the samples.
  public let pixelFormat: OSType
  private let buffers: [CVPixelBuffer]
  private let formatDescription: CMVideoFormatDescription

  /// The number of pixel buffers that are used in turn.
  public static let bufferCount = 3

  /// A screen that shows `content`, in 420f or 420v.
  public init(
    content: any ScreenContent, pixelFormat: OSType, orientation: CGImagePropertyOrientation = .up
  ) throws(ScreenContentError) {
    self.content = content
    self.orientation = orientation
    self.pixelFormat = pixelFormat
    do throws(PixelBufferError) {
      let pool = try PixelBufferPool(width: content.width, height: content.height, pixelFormat: pixelFormat)
      var buffers: [CVPixelBuffer] = []
      for _ in 0..<Self.bufferCount { buffers.append(try pool.makeBuffer()) }
      self.buffers = buffers
      formatDescription = try Self.formatDescription(of: buffers[0])
    } catch {
      throw .noBuffer(error)
    }
  }

  /// The bytes from one luma row to the next.
  public var bytesPerRow: Int { buffers[0].planeShape(0).bytesPerRow }

  /// The sample of the next picture, as frame `number` of the broadcast taken at `time`; or why there is none.
  func nextSample(
    frame number: UInt64, time: UInt64
  ) throws(ScreenContentError) -> (drawing: ScreenDrawing, sample: CMSampleBuffer?) {
    let pixelBuffer = buffers[Int(number % UInt64(buffers.count))]
    let drawing = try content.draw(frame: number, into: pixelBuffer)
    guard drawing == .drawn else { return (drawing, nil) }
    var timing = CMSampleTimingInfo(
      duration: .invalid,
      presentationTimeStamp: CMTime(value: Int64(clamping: time), timescale: 1_000_000_000),
      decodeTimeStamp: .invalid)
    var sample: CMSampleBuffer?
    // UNSAFE: parameters in and out are local variables. It fails only for a description of another picture.
    _ = unsafe CMSampleBufferCreateReadyWithImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: pixelBuffer, formatDescription: formatDescription,
      sampleTiming: &timing, sampleBufferOut: &sample)
    if let sample {
      CMSetAttachment(
        sample, key: RPVideoSampleOrientationKey as CFString,
        value: orientation.rawValue as NSNumber, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }
    return (.drawn, sample)
  }

  private static func formatDescription(
    of pixelBuffer: CVPixelBuffer
  ) throws(PixelBufferError) -> CMVideoFormatDescription {
    var description: CMVideoFormatDescription?
    // UNSAFE: the out parameter is a local variable.
    let code = unsafe CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: pixelBuffer, formatDescriptionOut: &description)
    guard let description else {
      throw PixelBufferError(
        code: code, width: CVPixelBufferGetWidth(pixelBuffer), height: CVPixelBufferGetHeight(pixelBuffer),
        pixelFormat: CVPixelBufferGetPixelFormatType(pixelBuffer))
    }
    return description
  }
}
