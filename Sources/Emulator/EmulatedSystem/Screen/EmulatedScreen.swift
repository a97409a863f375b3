import CommandLineSupport
import CoreMedia
import CoreVideo
import PixelAccess
import Platform
import ReplayKit

/// The screen of the emulated device: turns its content into the sample buffers that ReplayKit delivers.
///
/// The memory of the pixel buffers is a small pool, as ReplayKit's is. It is used again when the sample and all other
/// references to its pixel buffer were released, so a held sample keeps its picture, and a handler that holds all buffers
/// stops the video. Rows are aligned to 64 bytes.
@MainActor
package final class EmulatedScreen {
  package private(set) var content: ScreenContent
  /// The orientation of the device, which every sample carries; `nil` for samples without one.
  package var orientation: CGImagePropertyOrientation?
  package var framesPerSecond: Double
  package private(set) var pixelFormat: OSType
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private let colours: ScreenColours
  private var buffers: [Buffer] = []
  private var next = 0
  /// The number of frames that will be drawn over while the handler has them.
  var overlaps = 0
  /// The number of frames that will show the picture of the one before.
  var repeats = 0
  /// The number of samples that will have no image buffer.
  var emptySamples = 0
  /// Until when the screen shows protected content, which is black in a broadcast.
  var protectedUntil = MonotonicTime.zero
  /// How much earlier than its drawing the time of a frame may be. Intervals of devices are no multiples of 1/60 s.
  package var timeJitter = Duration.zero
  private var shown: ScreenFrame?
  private var lastPresentation = MonotonicTime.zero
  private var rows = RowLengths.aligned(chromaPadding: 0)

  private struct Buffer {
    let memory: ScreenMemory
    let bytesPerRow: Int
    /// The capture time of the newest frame.
    var time = MonotonicTime.zero
  }

  /// The size of the pool: one buffer is drawn, one is the handler's, and the others wait.
  nonisolated static let bufferCount = waitingSampleLimit + 2

  /// A screen that shows `content`, in 420f or 420v, with the colour attachments of a version of iOS. `onMisuse` receives
  /// the handler's misuses of the pixel buffers, on the thread of the misuse; `nil` to watch none.
  package init(
    content: ScreenContent, framesPerSecond: Double = 60, pixelFormat: OSType,
    orientation: CGImagePropertyOrientation = .up, ios: IOSVersion = .newest,
    onMisuse: (@Sendable (HandlerMisuse) -> Void)? = nil
  ) throws(ScreenContentError) {
    colours = ScreenColours(ios)
    self.content = content
    self.framesPerSecond = framesPerSecond
    self.orientation = orientation
    self.pixelFormat = pixelFormat
    self.onMisuse = onMisuse
    buffers = try makeBuffers(content.size)
  }

  /// The bytes from one luma row to the next.
  package var bytesPerRow: Int { buffers[0].bytesPerRow }

  /// Shows the content in another size from the next frame on. Returns `false` if its size is fixed.
  func resize(to size: PixelSize) throws(ScreenContentError) -> Bool {
    try reshape(to: size, pixelFormat: pixelFormat, rows: rows)
  }

  /// Shows the content in another size and format from the next frame on. Returns `false` if its size is fixed.
  func reshape(
    to size: PixelSize, pixelFormat: OSType, rows: RowLengths
  ) throws(ScreenContentError) -> Bool {
    guard let content = try content.resized(size, pixelFormat) else { return false }
    (self.pixelFormat, self.rows) = (pixelFormat, rows)
    buffers = try makeBuffers(size)
    self.content = content
    next = 0
    return true
  }

  /// Makes chroma rows `count` bytes longer than luma rows from the next frame on.
  func padChroma(by count: Int) throws(ScreenContentError) {
    rows = .aligned(chromaPadding: count)
    buffers = try makeBuffers(content.size)
    next = 0
  }

  package func heldBuffers(at time: MonotonicTime) -> HeldBuffers {
    let held = buffers.filter { $0.memory.use == .held }
    return HeldBuffers(count: held.count, longest: held.map { time - $0.time }.max() ?? .zero)
  }

  /// Draws the next frame, frame `number` of the broadcast, and offers its sample and the memory of its pixels. The next
  /// frame is drawn into the buffer of a sample that `offer` does not take.
  ///
  /// Returns `nil`, and draws nothing, when no buffer is free.
  ///
  /// - Parameter presentation: the sample's time; by default the time of the drawing, or a little earlier.
  func drawFrame(
    _ number: UInt64, at time: MonotonicTime, presentation: CMTime? = nil,
    offer: (CMSampleBuffer, ScreenMemory) -> Bool
  ) throws(ScreenContentError) -> ScreenDrawing? {
    guard let place = freePlace else { return nil }
    let memory = buffers[place].memory
    let rotation = orientation.map(PictureRotation.init(held:)) ?? .none
    var frame = ScreenFrame(number: number, time: time, rotation: rotation, isDue: presentation != nil)
    if repeats > 0, let shown {
      frame = ScreenFrame(number: shown.number, time: shown.time, rotation: rotation, isDue: true)
    }
    let (drawing, pixels) = try draw(frame, place, isBlack: time < protectedUntil)
    guard drawing == .drawn else { return drawing }
    let isOverlapped = overlaps > 0 ? try overlap(memory, after: frame) : false
    let presentation = presentation ?? CMTime(presentationTime(of: number, at: time))
    if let sample = sample(of: pixels, at: presentation), offer(sample, memory) {
      buffers[place].time = time
      next = (place + 1) % buffers.count
      shown = frame
      if isOverlapped { overlaps -= 1 }
      if repeats > 0 { repeats -= 1 }
    }
    return drawing
  }

  /// A sample of frame `number` that is neither valid nor ready, and has no image buffer.
  func emptySample(_ number: UInt64, at time: MonotonicTime) throws(ScreenContentError) -> CMSampleBuffer? {
    guard let place = freePlace else { return nil }
    let memory = buffers[place].memory
    // UNSAFE: the buffer retains the memory.
    let pixels = try unsafe makePixels(content.size) { _ in unsafe (memory.base, memory) }
    guard let sample = sample(of: pixels, at: CMTime(presentationTime(of: number, at: time))) else {
      return nil
    }
    CMSampleBufferInvalidate(sample)
    return sample
  }

  /// The time of a frame that is drawn at `time`: earlier by up to ``timeJitter``, by the same amount in each run, and later
  /// than that of the frame before.
  private func presentationTime(of number: UInt64, at time: MonotonicTime) -> MonotonicTime {
    guard timeJitter > .zero else { return time }
    // The mixing function of SplitMix64.
    var bits = number &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    let earlier = Int64(bits >> 33) % (timeJitter.wholeNanoseconds + 1)
    lastPresentation = max(time - .nanoseconds(earlier), lastPresentation + .nanoseconds(1))
    return lastPresentation
  }

  private var freePlace: Int? {
    buffers.indices.lazy.map { (self.next + $0) % self.buffers.count }.first {
      buffers[$0].memory.use == .free
    }
  }

  private func draw(
    _ frame: ScreenFrame, _ place: Int, isBlack: Bool = false
  ) throws(ScreenContentError) -> (ScreenDrawing, CVPixelBuffer) {
    let memory = buffers[place].memory
    // UNSAFE: the buffer retains the memory.
    let pixels = try unsafe makePixels(content.size) { _ in unsafe (memory.base, memory) }
    colours.attach(to: pixels, own: content.matrix)
    let drawing = try memory.whileDrawing { () throws(ScreenContentError) in
      // The content goes on beneath.
      let drawing = try content.draw(frame, pixels)
      if isBlack, drawing == .drawn { pixels.fillBlack() }
      return drawing
    }
    return (drawing, pixels)
  }

  /// Draws the frame after `frame` into a further buffer, to be drawn over the pixels in `memory`. Returns `false` without
  /// one.
  private func overlap(
    _ memory: ScreenMemory, after frame: ScreenFrame
  ) throws(ScreenContentError) -> Bool {
    guard let place = freePlace else { return false }
    var next = frame
    (next.number, next.isDue) = (frame.number + 1, true)
    let (drawing, pixels) = try draw(next, place)
    if drawing == .drawn { memory.overlap(with: pixels) }
    return drawing == .drawn
  }

  private func sample(of pixels: CVPixelBuffer, at time: CMTime) -> CMSampleBuffer? {
    var timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid)
    var description: CMVideoFormatDescription?
    var sample: CMSampleBuffer?
    // UNSAFE: parameters in and out are local variables. It fails only for a description of another buffer.
    _ = unsafe CMVideoFormatDescriptionCreateForImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: pixels, formatDescriptionOut: &description)
    guard let description else { return nil }
    _ = unsafe CMSampleBufferCreateReadyWithImageBuffer(
      allocator: kCFAllocatorDefault, imageBuffer: pixels, formatDescription: description,
      sampleTiming: &timing, sampleBufferOut: &sample)
    if let sample, let orientation {
      CMSetAttachment(
        sample, key: RPVideoSampleOrientationKey as CFString,
        value: orientation.rawValue as NSNumber, attachmentMode: kCMAttachmentMode_ShouldNotPropagate)
    }
    return sample
  }

  private func makeBuffers(_ size: PixelSize) throws(ScreenContentError) -> [Buffer] {
    // A handler treats every sample alike: protecting one buffer is enough, and cheap.
    try (0..<Self.bufferCount).map { index throws(ScreenContentError) in
      var memory: ScreenMemory?
      // UNSAFE: the buffer retains the memory.
      let pixels = try unsafe makePixels(size) { byteCount throws(SystemError) in
        let made = try ScreenMemory(
          byteCount: byteCount, isProtected: onMisuse != nil && index == 0, onMisuse: onMisuse)
        memory = made
        return unsafe (made.base, made)
      }
      guard let memory else { throw noBuffer(size, kCVReturnAllocationFailed) }
      return Buffer(memory: memory, bytesPerRow: pixels.planeShape(0).bytesPerRow)
    }
  }

  /// A buffer over the memory that `lend` returns.
  private func makePixels(
    _ size: PixelSize,
    lend: (_ byteCount: Int) throws(SystemError) -> (UnsafeMutableRawPointer, any PixelAccessObserver)
  ) throws(ScreenContentError) -> CVPixelBuffer {
    var code = kCVReturnAllocationFailed
    do throws(SystemError) {
      // UNSAFE: the buffer retains the owner of the memory.
      let made = try unsafe CVBuffer.make(
        width: size.width, height: size.height, pixelFormat: pixelFormat, rows: rows,
        lend: lend)
      if let pixels = made.buffer { return pixels }
      code = made.code
    } catch {
      // The system has no memory.
    }
    throw noBuffer(size, code)
  }

  private func noBuffer(_ size: PixelSize, _ code: CVReturn) -> ScreenContentError {
    .noBuffer(PixelBufferError(code: code, width: size.width, height: size.height, pixelFormat: pixelFormat))
  }
}

extension CVBuffer {
  /// Makes all pixels black, in 420f or 420v.
  fileprivate func fillBlack() {
    let isFullRange = CVPixelBufferGetPixelFormatType(self) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    for (plane, level) in [isFullRange ? 0 : 16, 128].enumerated() {
      writePlane(plane) { bytes, _ in bytes.fill(0..<bytes.count, with: UInt8(level)) }
    }
  }
}

extension CMTime {
  /// An instant of the host's clock, in nanoseconds.
  init(_ time: MonotonicTime) {
    self.init(value: Int64(clamping: time.nanoseconds), timescale: 1_000_000_000)
  }
}
