import CommandLineSupport
import CoreMedia
import CoreVideo
import EmulatedDevice
import PixelAccess
import Platform
import ReplayKitCore
import TestPatterns

/// The screen of the emulated device. Converts its content into the sample buffers that ReplayKit delivers.
///
/// The memory of the pixel buffers is a small pool, as in ReplayKit. A buffer is reused once its sample is released, even
/// if its pixel buffer is still retained. So a held sample keeps its image, and a handler that holds all buffers gets a
/// frame only every few seconds. Rows are aligned to 64 bytes.
@MainActor
package final class EmulatedScreen {
  package private(set) var content: ScreenContent
  /// The orientation of the device, which every sample carries; `nil` for samples without an orientation.
  package var orientation: CGImagePropertyOrientation?
  /// Whether the orientation is attached to the samples, as ReplayKit does.
  package var attachesOrientation = true
  package var framesPerSecond: Double
  package private(set) var pixelFormat: OSType
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private let colours: ScreenColours
  private var buffers: [Buffer] = []
  /// The frames whose pixels the handler has read.
  let reads = ReadFrames()
  private var next = 0
  /// The frames that will be overwritten while the handler reads them.
  let overlaps = OverwriteCount()
  /// Whether a pixel buffer keeps its image if it is retained without its sample. True for captures within an app, because
  /// nobody has reported the opposite for them.
  package var keepsRetainedPictures = false
  /// The number of coming frames that repeat the previous image.
  var repeats = 0
  /// The number of coming samples without an image buffer.
  var emptySamples = 0
  /// The time until which the screen shows protected content (black in a broadcast).
  package var protectedUntil = MonotonicTime.zero
  /// How much earlier than its drawing a frame may be timestamped. Frame intervals of devices are not multiples of 1/60 s.
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

  /// The size of the pool: one buffer is drawn, one is with the handler, and the others wait.
  nonisolated static let bufferCount = waitingSampleLimit + 2

  /// Creates a screen that shows `content` in 420f or 420v, with the colour attachments of a version of iOS. `onMisuse`
  /// receives the handler's misuses of the pixel buffers, on the thread of the misuse; `nil` disables the detection.
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
  package func resize(to size: PixelSize) throws(ScreenContentError) -> Bool {
    try reshape(to: size, pixelFormat: pixelFormat, rows: rows)
  }

  /// Shows the content in another size and pixel format from the next frame on. Returns `false` if its size is fixed.
  func reshape(
    to size: PixelSize, pixelFormat: OSType, rows: RowLengths
  ) throws(ScreenContentError) -> Bool {
    guard let content = try content.resized(size, pixelFormat) else { return false }
    self.pixelFormat = pixelFormat
    self.rows = rows
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

  /// Draws the next frame, frame `number` of the broadcast, and offers its sample and the memory of its pixels. If `offer`
  /// returns `false`, the next frame reuses the buffer.
  ///
  /// Returns `nil`, and draws nothing, if no buffer is free.
  ///
  /// - Parameters:
  ///   - presentation: the sample's time (default: the time of drawing, or a little earlier).
  ///   - mayAdd: whether to add a buffer to the pool if none is free. It is removed once it is released.
  package func drawFrame(
    _ number: UInt64, at time: MonotonicTime, presentation: CMTime? = nil, mayAdd: Bool = false,
    offer: (CMSampleBuffer, ScreenMemory) -> Bool
  ) throws(ScreenContentError) -> ScreenDrawing? {
    removeAdded()
    if freePlace == nil, mayAdd { buffers.append(try makeBuffer(content.size, isProtected: false)) }
    guard let place = freePlace else { return nil }
    let memory = buffers[place].memory
    let rotation = orientation.map { PictureRotation($0) } ?? .none
    var frame = ScreenFrame(number: number, time: time, rotation: rotation, isDue: presentation != nil)
    if repeats > 0, let shown {
      frame = ScreenFrame(number: shown.number, time: shown.time, rotation: rotation, isDue: true)
    }
    let (drawing, sample) = try drawSample(frame, place, isBlack: time < protectedUntil) {
      presentation ?? CMTime(presentationTime(of: number, at: time))
    }
    guard drawing == .drawn else { return drawing }
    if overlaps.remaining > 0 { try overlap(memory, after: frame) }
    if let sample, offer(sample, memory) {
      buffers[place].time = time
      next = (place + 1) % buffers.count
      shown = frame
      if repeats > 0 { repeats -= 1 }
    }
    return drawing
  }

  /// Returns a sample of frame `number` that is neither valid nor ready, and has no image buffer.
  func emptySample(_ number: UInt64, at time: MonotonicTime) throws(ScreenContentError) -> CMSampleBuffer? {
    guard let place = freePlace else { return nil }
    let memory = buffers[place].memory
    // UNSAFE: the buffer retains the frame, and the frame the memory.
    let pixels = try unsafe makePixels(content.size) { _ in unsafe (memory.base, DrawnFrame(in: memory)) }
    guard let sample = sample(of: pixels, at: CMTime(presentationTime(of: number, at: time))) else {
      return nil
    }
    CMSampleBufferInvalidate(sample)
    return sample
  }

  /// The minimum interval between the times of two frames. After a stall of the host, frames are drawn within microseconds,
  /// unlike the refreshes of a display. A handler that counts milliseconds would see two frames at once.
  private static let leastInterval = Duration.milliseconds(1)

  /// Returns the time of a frame that is drawn at `time`: earlier by up to ``timeJitter`` (the same amount in each run),
  /// but later than the previous frame.
  private func presentationTime(of number: UInt64, at time: MonotonicTime) -> MonotonicTime {
    guard timeJitter > .zero else { return time }
    var random = SplitMix(state: number)
    let earlier = Int64(random.next() >> 33) % (timeJitter.wholeNanoseconds + 1)
    lastPresentation = max(time - .nanoseconds(earlier), lastPresentation + Self.leastInterval)
    return lastPresentation
  }

  /// Draws a frame and creates its sample, which alone retains the pixel buffer.
  private func drawSample(
    _ frame: ScreenFrame, _ place: Int, isBlack: Bool, at time: () -> CMTime
  ) throws(ScreenContentError) -> (ScreenDrawing, CMSampleBuffer?) {
    let (drawing, pixels, drawn) = try draw(frame, place, isBlack: isBlack)
    guard drawing == .drawn, let sample = sample(of: pixels, at: time()) else { return (drawing, nil) }
    if !keepsRetainedPictures { sample.retain(drawn.lease()) }
    return (drawing, sample)
  }

  /// Removes the added buffers that were released.
  private func removeAdded() {
    guard buffers.count > Self.bufferCount else { return }
    buffers =
      buffers[..<Self.bufferCount] + buffers[Self.bufferCount...].filter { $0.memory.use != .free }
    next %= buffers.count
  }

  private var freePlace: Int? {
    buffers.indices.lazy.map { (self.next + $0) % self.buffers.count }.first {
      buffers[$0].memory.use == .free
    }
  }

  private func draw(
    _ frame: ScreenFrame, _ place: Int, isBlack: Bool = false
  ) throws(ScreenContentError) -> (ScreenDrawing, CVPixelBuffer, DrawnFrame) {
    let memory = buffers[place].memory
    let drawn = DrawnFrame(in: memory)
    // UNSAFE: the buffer retains the frame, and the frame the memory.
    let pixels = try unsafe makePixels(content.size) { _ in unsafe (memory.base, drawn) }
    colours.attach(to: pixels, own: content.matrix)
    let drawing = try memory.whileDrawing { () throws(ScreenContentError) in
      // The content continues while the screen is black.
      let drawing = try content.draw(frame, pixels)
      if isBlack, drawing == .drawn { pixels.fillBlack() }
      return drawing
    }
    return (drawing, pixels, drawn)
  }

  /// Draws the frame after `frame`, for overwriting the pixels in `memory`. It uses an additional buffer, because a device
  /// needs no buffer of the pool for this.
  private func overlap(_ memory: ScreenMemory, after frame: ScreenFrame) throws(ScreenContentError) {
    buffers.append(try makeBuffer(content.size, isProtected: false))
    var next = frame
    (next.number, next.isDue) = (frame.number + 1, true)
    let (drawing, pixels, _) = try draw(next, buffers.count - 1)
    guard drawing == .drawn else { return }
    let others = buffers.map(\.memory).filter { $0 !== memory }
    memory.setOverlap(
      PictureOverlap(by: pixels, count: overlaps) { others.contains { $0.use == .held } })
  }

  private func sample(of pixels: CVPixelBuffer, at time: CMTime) -> CMSampleBuffer? {
    Self.sample(of: pixels, at: time, orientation: attachesOrientation ? orientation : nil)
  }

  /// Returns a frame as ReplayKit delivers it.
  package nonisolated static func sample(
    of pixels: CVPixelBuffer, at time: CMTime, orientation: CGImagePropertyOrientation?
  ) -> CMSampleBuffer? {
    var timing = CMSampleTimingInfo(
      duration: .invalid, presentationTimeStamp: time, decodeTimeStamp: .invalid)
    var description: CMVideoFormatDescription?
    var sample: CMSampleBuffer?
    // UNSAFE: the in and out parameters are local variables. The call fails only for a description of another buffer.
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
    // Protecting one buffer is enough, and cheap: a handler treats all samples alike.
    try (0..<Self.bufferCount).map { index throws(ScreenContentError) in
      try makeBuffer(size, isProtected: onMisuse != nil && index == 0)
    }
  }

  private func makeBuffer(_ size: PixelSize, isProtected: Bool) throws(ScreenContentError) -> Buffer {
    var memory: ScreenMemory?
    // UNSAFE: the buffer retains the frame, and the frame the memory.
    let pixels = try unsafe makePixels(size) { byteCount throws(FileError) in
      let made = try ScreenMemory(
        byteCount: byteCount, isProtected: isProtected, reads: reads, onMisuse: onMisuse)
      memory = made
      return unsafe (made.base, DrawnFrame(in: made))
    }
    guard let memory else { throw noBuffer(size, kCVReturnAllocationFailed) }
    return Buffer(memory: memory, bytesPerRow: pixels.planeShape(0).bytesPerRow)
  }

  /// Creates a pixel buffer over the memory that `lend` returns.
  private func makePixels(
    _ size: PixelSize,
    lend: (_ byteCount: Int) throws(FileError) -> (UnsafeMutableRawPointer, any PixelAccessObserver)
  ) throws(ScreenContentError) -> CVPixelBuffer {
    var code = kCVReturnAllocationFailed
    do throws(FileError) {
      // UNSAFE: the buffer retains the owner of the memory.
      let made = try unsafe CVBuffer.make(
        width: size.width, height: size.height, pixelFormat: pixelFormat, rows: rows,
        lend: lend)
      if let pixels = made.buffer { return pixels }
      code = made.code
    } catch {
      // Out of memory.
    }
    throw noBuffer(size, code)
  }

  private func noBuffer(_ size: PixelSize, _ code: CVReturn) -> ScreenContentError {
    .noBuffer(PixelBufferError(code: code, width: size.width, height: size.height, pixelFormat: pixelFormat))
  }
}

extension CVBuffer {
  /// Fills a 420f or 420v buffer with black.
  fileprivate func fillBlack() {
    let isFullRange = CVPixelBufferGetPixelFormatType(self) == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    for (plane, level) in [isFullRange ? 0 : 16, 128].enumerated() {
      writePlane(plane) { bytes, _ in bytes.fill(0..<bytes.count, with: UInt8(level)) }
    }
  }
}

extension CMTime {
  /// Creates an instant of the host clock, in nanoseconds.
  package init(_ time: MonotonicTime) {
    self.init(value: Int64(clamping: time.nanoseconds), timescale: 1_000_000_000)
  }
}
