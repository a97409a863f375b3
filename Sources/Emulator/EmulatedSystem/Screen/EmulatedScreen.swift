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
  package private(set) var content: ScreenContent
  /// The orientation of the device, which every sample carries.
  package var orientation: CGImagePropertyOrientation
  package var framesPerSecond: Double
  package let pixelFormat: OSType
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private var buffers: [Buffer] = []
  private var next = 0

  private struct Buffer {
    var pixels: CVPixelBuffer
    let memory: ScreenMemory
    let description: CMVideoFormatDescription
    var isUsed = false
  }

  /// The size of the pool: one buffer is drawn, one is the handler's, and the others wait. The handler gets them in
  /// the order of the pool, so that the next buffer is always free.
  static let bufferCount = waitingSampleLimit + 2

  /// A screen that shows `content`, in 420f or 420v.
  ///
  /// - Parameter onMisuse: receives the handler's misuses of the pixel buffers, on the thread of the misuse; `nil` to
  ///   watch none.
  package init(
    content: ScreenContent, framesPerSecond: Double = 60, pixelFormat: OSType,
    orientation: CGImagePropertyOrientation = .up, onMisuse: (@Sendable (HandlerMisuse) -> Void)? = nil
  ) throws(ScreenContentError) {
    self.content = content
    self.framesPerSecond = framesPerSecond
    self.orientation = orientation
    self.pixelFormat = pixelFormat
    self.onMisuse = onMisuse
    buffers = try makeBuffers(content.size)
  }

  /// The bytes from one luma row to the next.
  package var bytesPerRow: Int { buffers[0].pixels.planeShape(0).bytesPerRow }

  /// Shows the content in another size from the next frame on. Returns `false` if its size is fixed.
  func resize(to size: PixelSize) throws(ScreenContentError) -> Bool {
    guard let content = try content.resized(size) else { return false }
    buffers = try makeBuffers(size)
    self.content = content
    next = 0
    return true
  }

  /// Draws the next frame, frame `number` of the broadcast, and offers its sample and the memory of its pixels.
  ///
  /// A sample that `offer` takes stays unchanged until all other buffers have been used. The next frame is drawn into
  /// the buffer of a sample that it does not take.
  func drawFrame(
    _ number: UInt64, at time: MonotonicTime, offer: (CMSampleBuffer, ScreenMemory) -> Bool
  ) throws(ScreenContentError) -> ScreenDrawing {
    if onMisuse != nil, buffers[next].isUsed, !isKnownUniquelyReferenced(&buffers[next].pixels) {
      onMisuse?(.kept)
    }
    let buffer = buffers[next]
    let drawing = try buffer.memory.whileDrawing { () throws(ScreenContentError) in
      try content.draw(number, buffer.pixels)
    }
    if drawing == .drawn, let sample = sample(of: buffer, at: time),
      offer(sample, buffer.memory)
    {
      buffers[next].isUsed = true
      next = (next + 1) % buffers.count
    }
    return drawing
  }

  private func sample(of buffer: Buffer, at time: MonotonicTime) -> CMSampleBuffer? {
    var timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: CMTime(time), decodeTimeStamp: .invalid)
    var sample: CMSampleBuffer?
    // UNSAFE: parameters in and out are local variables. It fails only for a description of another buffer.
    _ = unsafe CMSampleBufferCreateReadyWithImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: buffer.pixels, formatDescription: buffer.description,
      sampleTiming: &timing, sampleBufferOut: &sample)
    if let sample {
      CMSetAttachment(
        sample, key: RPVideoSampleOrientationKey as CFString,
        value: orientation.rawValue as NSNumber, attachmentMode: kCMAttachmentMode_ShouldPropagate)
    }
    return sample
  }

  private func makeBuffers(_ size: PixelSize) throws(ScreenContentError) -> [Buffer] {
    // A handler treats every sample alike: protecting one buffer is enough, and cheap.
    try (0..<Self.bufferCount).map { index throws(ScreenContentError) in
      try makeBuffer(size, isProtected: onMisuse != nil && index == 0)
    }
  }

  private func makeBuffer(_ size: PixelSize, isProtected: Bool) throws(ScreenContentError) -> Buffer {
    var memory: ScreenMemory?
    var code = kCVReturnAllocationFailed
    do throws(SystemError) {
      // UNSAFE: the memory lives as long as the object returned with it.
      let made = try unsafe CVBuffer.make(width: size.width, height: size.height, pixelFormat: pixelFormat) {
        byteCount throws(SystemError) in
        let made = try ScreenMemory(byteCount: byteCount, isProtected: isProtected, onMisuse: onMisuse)
        memory = made
        return unsafe (made.base, made)
      }
      code = made.code
      if let pixels = made.buffer, let memory {
        var description: CMVideoFormatDescription?
        // UNSAFE: the out parameter is a local variable.
        code = unsafe CMVideoFormatDescriptionCreateForImageBuffer(
          allocator: kCFAllocatorDefault, imageBuffer: pixels, formatDescriptionOut: &description)
        if let description { return Buffer(pixels: pixels, memory: memory, description: description) }
      }
    } catch {}
    throw .noBuffer(
      PixelBufferError(code: code, width: size.width, height: size.height, pixelFormat: pixelFormat))
  }
}

extension CMTime {
  /// An instant of the host's clock, in nanoseconds.
  init(_ time: MonotonicTime) {
    self.init(value: Int64(clamping: time.nanoseconds), timescale: 1_000_000_000)
  }
}
