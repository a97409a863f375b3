import CommandLineSupport
import CoreMedia
import CoreVideo
import PixelAccess
import Platform
import ReplayKit

/// The screen of the emulated device: turns its content into the sample buffers that ReplayKit delivers.
///
/// The pixel buffers are a small pool, as ReplayKit's are: a handler that keeps one after `processSampleBuffer(_:with:)`
/// has returned sees later frames in it. Rows are aligned to 64 bytes.
@MainActor
package final class EmulatedScreen {
  /// What the screen shows.
  package private(set) var content: any ScreenContent
  /// The orientation of the device, which every sample carries.
  package var orientation: CGImagePropertyOrientation
  /// The pixel format of the samples.
  package let pixelFormat: OSType
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private var buffers: [Buffer] = []
  private var next = 0
  private var formatDescription: CMVideoFormatDescription

  private struct Buffer {
    var pixels: CVPixelBuffer
    var memory: ScreenMemory
    var isUsed = false
  }

  /// A sample, and the memory of its pixels.
  struct Sample: Sendable {
    let buffer: CMSampleBuffer
    let memory: ScreenMemory
  }

  /// The size of the pool: one buffer is drawn, one is the handler's, and the others wait. The handler gets them in
  /// the order of the pool, so that the next buffer is always free.
  static let bufferCount = waitingSampleLimit + 2

  /// A screen that shows `content`, in 420f or 420v.
  ///
  /// - Parameter onMisuse: receives the handler's misuses of the pixel buffers, on the thread of the misuse; `nil` to
  ///   watch none.
  package init(
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
  package var bytesPerRow: Int { buffers[0].pixels.planeShape(0).bytesPerRow }

  /// Shows the content in another size from the next frame on. Returns `false` if its size is fixed.
  func resize(to size: PixelSize) throws(ScreenContentError) -> Bool {
    guard let content = try content.resized(to: size) else { return false }
    (buffers, formatDescription) = try Self.makeBuffers(
      width: size.width, height: size.height, pixelFormat: pixelFormat, onMisuse: onMisuse)
    self.content = content
    next = 0
    return true
  }

  /// Draws the next frame, frame `number` of the broadcast, and returns its sample if there is one.
  ///
  /// The next call draws into the same pixel buffer, unless ``useNextBuffer()`` is called before.
  func nextSample(
    frame number: UInt64, time: MonotonicTime
  ) throws(ScreenContentError) -> (drawing: ScreenDrawing, sample: Sample?) {
    let memory = buffers[next].memory
    if onMisuse != nil, buffers[next].isUsed, !isKnownUniquelyReferenced(&buffers[next].pixels) {
      onMisuse?(.kept)
    }
    memory.beginDrawing()
    defer { memory.endDrawing() }
    let pixelBuffer = buffers[next].pixels
    let drawing = try content.draw(frame: number, into: pixelBuffer)
    guard drawing == .drawn else { return (drawing, nil) }
    var timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: CMTime(time), decodeTimeStamp: .invalid)
    var sample: CMSampleBuffer?
    // UNSAFE: parameters in and out are local variables. It fails only for a description of another buffer.
    _ = unsafe CMSampleBufferCreateReadyWithImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: pixelBuffer, formatDescription: formatDescription,
      sampleTiming: &timing, sampleBufferOut: &sample)
    guard let sample else { return (.drawn, nil) }
    CMSetAttachment(
      sample, key: RPVideoSampleOrientationKey as CFString,
      value: orientation.rawValue as NSNumber, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    return (.drawn, Sample(buffer: sample, memory: memory))
  }

  /// Keeps the newest sample unchanged until all other buffers have been used.
  func useNextBuffer() {
    buffers[next].isUsed = true
    next = (next + 1) % buffers.count
  }

  private static func makeBuffers(
    width: Int, height: Int, pixelFormat: OSType, onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  ) throws(ScreenContentError) -> ([Buffer], CMVideoFormatDescription) {
    do throws(PixelBufferError) {
      var buffers: [Buffer] = []
      for index in 0..<bufferCount {
        // A handler treats every sample alike: protecting one buffer is enough, and cheap.
        buffers.append(
          try makeBuffer(
            width: width, height: height, pixelFormat: pixelFormat,
            isProtected: onMisuse != nil && index == 0, onMisuse: onMisuse))
      }
      var description: CMVideoFormatDescription?
      // UNSAFE: the out parameter is a local variable.
      let code = unsafe CMVideoFormatDescriptionCreateForImageBuffer(
        allocator: kCFAllocatorDefault, imageBuffer: buffers[0].pixels, formatDescriptionOut: &description)
      guard let description else {
        throw PixelBufferError(code: code, width: width, height: height, pixelFormat: pixelFormat)
      }
      return (buffers, description)
    } catch {
      throw .noBuffer(error)
    }
  }

  private static func makeBuffer(
    width: Int, height: Int, pixelFormat: OSType, isProtected: Bool,
    onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  ) throws(PixelBufferError) -> Buffer {
    var memory: ScreenMemory?
    var code = kCVReturnAllocationFailed
    do throws(SystemError) {
      // UNSAFE: the memory lives as long as the object returned with it.
      let made = try unsafe CVBuffer.make(width: width, height: height, pixelFormat: pixelFormat) {
        byteCount throws(SystemError) in
        let made = try ScreenMemory(byteCount: byteCount, isProtected: isProtected, onMisuse: onMisuse)
        memory = made
        return unsafe (made.base, made)
      }
      if let pixels = made.buffer, let memory { return Buffer(pixels: pixels, memory: memory) }
      code = made.code
    } catch {}
    throw PixelBufferError(code: code, width: width, height: height, pixelFormat: pixelFormat)
  }
}

extension CMTime {
  /// An instant of the host's clock, in nanoseconds.
  init(_ time: MonotonicTime) {
    self.init(value: Int64(clamping: time.nanoseconds), timescale: 1_000_000_000)
  }
}
