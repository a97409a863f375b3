import CommandLineSupport
import CoreMedia
import CoreVideo
import PixelAccess
import Platform
import ReplayKit
import SharedMemory

/// The screen of the emulated device: turns what it shows into the sample buffers ReplayKit delivers.
///
/// The pixel buffers are a small pool that is used again and again, as ReplayKit's are: a handler that keeps
/// one past `processSampleBuffer(_:with:)` sees later pictures bleed into it. Rows are aligned to 64 bytes.
@MainActor
public final class EmulatedScreen {
  /// What the screen shows.
  public private(set) var content: any ScreenContent
  /// How the device is held, told with every frame.
  public var orientation: CGImagePropertyOrientation
  /// The pixel format of the samples.
  public let pixelFormat: OSType
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private var buffers: [Buffer] = []
  private var next = 0
  private var formatDescription: CMVideoFormatDescription

  /// A pixel buffer, and the memory it lies in where that is watched.
  private struct Buffer {
    var pixels: CVPixelBuffer
    var memory: ScreenMemory?
    var isUsed = false
  }

  /// The number of pixel buffers that are used in turn: one is drawn, one is the handler's, and as many may wait as a
  /// ``SampleDelivery`` takes. They are used in the order in which they are delivered, so that the next is always free.
  static let bufferCount = SampleDelivery.capacity + 2

  /// A screen that shows `content`, in 420f or 420v.
  ///
  /// - Parameter onMisuse: told, on whatever thread it happens, of what a handler should not do with the pixel buffers;
  ///   without it nobody looks.
  public init(
    content: any ScreenContent, pixelFormat: OSType, orientation: CGImagePropertyOrientation = .up,
    onMisuse: (@Sendable (HandlerMisuse) -> Void)? = nil
  ) throws(ScreenContentError) {
    self.content = content
    self.orientation = orientation
    self.pixelFormat = pixelFormat
    self.onMisuse = onMisuse
    (buffers, formatDescription) = try Self.makeBuffers(
      width: content.width, height: content.height, pixelFormat: pixelFormat, onMisuse: onMisuse)
  }

  /// The bytes from one luma row to the next.
  public var bytesPerRow: Int { buffers[0].pixels.planeShape(0).bytesPerRow }

  /// Shows the same in another size from the next picture on. Whether it can: a clip has the size it has.
  func resize(to size: Size) throws(ScreenContentError) -> Bool {
    guard let content = try content.resized(to: size) else { return false }
    (buffers, formatDescription) = try Self.makeBuffers(
      width: size.width, height: size.height, pixelFormat: pixelFormat, onMisuse: onMisuse)
    self.content = content
    next = 0
    return true
  }

  /// The sample of the next picture, as frame `number` of the broadcast taken at `time`; or why there is none.
  ///
  /// The same pixel buffer is drawn into again until ``useNextBuffer()`` says that the sample was delivered.
  func nextSample(
    frame number: UInt64, time: UInt64
  ) throws(ScreenContentError) -> (drawing: ScreenDrawing, sample: ScreenSample?) {
    let memory = buffers[next].memory
    if onMisuse != nil, buffers[next].isUsed, !isKnownUniquelyReferenced(&buffers[next].pixels) {
      onMisuse?(.kept)
    }
    memory?.takeForDrawing()
    defer { memory?.putAside() }
    let pixelBuffer = buffers[next].pixels
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
    guard let sample else { return (.drawn, nil) }
    CMSetAttachment(
      sample, key: RPVideoSampleOrientationKey as CFString,
      value: orientation.rawValue as NSNumber, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    return (.drawn, ScreenSample(sample, memory: memory))
  }

  /// Leaves the sample drawn last alone until all other buffers have been used.
  func useNextBuffer() {
    buffers[next].isUsed = true
    next = (next + 1) % buffers.count
  }

  private static func makeBuffers(
    width: Int, height: Int, pixelFormat: OSType, onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  ) throws(ScreenContentError) -> ([Buffer], CMVideoFormatDescription) {
    var buffers: [Buffer] = []
    for index in 0..<bufferCount {
      // What a handler does it does with every sample: one buffer that is looked at closely is enough, and cheap.
      let memory = { (byteCount: Int) throws(SystemError) in
        try ScreenMemory(byteCount: byteCount, closes: onMisuse != nil && index == 0, onMisuse: onMisuse)
      }
      buffers.append(
        try makeBuffer(width: width, height: height, pixelFormat: pixelFormat, memory))
    }
    do { return (buffers, try formatDescription(of: buffers[0].pixels)) } catch { throw .noBuffer(error) }
  }

  private static func makeBuffer(
    width: Int, height: Int, pixelFormat: OSType, _ makeMemory: (Int) throws(SystemError) -> ScreenMemory
  ) throws(ScreenContentError) -> Buffer {
    var memory: ScreenMemory?
    do {
      // UNSAFE: the memory is there as long as the object that comes with it.
      let made = try unsafe CVBuffer.make(width: width, height: height, pixelFormat: pixelFormat) {
        byteCount throws(SystemError) in
        let lent = try makeMemory(byteCount)
        memory = lent
        return unsafe (lent.base, lent)
      }
      guard let pixels = made.buffer else {
        throw PixelBufferError(code: made.code, width: width, height: height, pixelFormat: pixelFormat)
      }
      return Buffer(pixels: pixels, memory: memory)
    } catch let error as PixelBufferError {
      throw .noBuffer(error)
    } catch {
      throw .noBuffer(
        PixelBufferError(
          code: kCVReturnAllocationFailed, width: width, height: height, pixelFormat: pixelFormat))
    }
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
