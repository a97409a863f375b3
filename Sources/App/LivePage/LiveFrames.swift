import ContainingApp
import CoreVideo
import HTTPServer
import PictureFormats
import PixelAccess
import Platform
import Synchronization
import WebRTC

/// A frame for pages.
struct LiveFrame: Sendable {
  /// The pixels: of a frame of the call the whole ones, with part and size.
  var buffer: RTCCVPixelBuffer
  var rotation: PictureRotation
  /// The name of the orientation that the extension stated; empty for frames of the call.
  var orientation: String
  /// The number in its session; 0 for frames of the call.
  var number: UInt64
  var captureTime: MonotonicTime
  var receiveTime: MonotonicTime
}

/// The newest frame of one place, for any number of pages. A page gets the newest frame when it has taken the last one; what
/// came between is counted for it.
final class LiveFrames: Sendable {
  private struct State {
    var newest: LiveFrame?
    var count: UInt64 = 0
    var streamCount = 0
    var hasEnded = false
  }

  /// Called when a page may take a frame.
  private let wake: LiveWake

  private let state = Mutex(State())
  /// The pixels of one frame at its size, scaled once for all pages.
  private let scaled = Mutex((scaler: FrameScaler(), count: UInt64(0), pixels: CVPixelBuffer?.none))

  init(wake: LiveWake = LiveWake()) { self.wake = wake }

  /// Replaces the newest frame. Costs nothing more without a page.
  func publish(_ frame: LiveFrame) {
    let hasPages = state.withLock { state in
      state.newest = frame
      state.count += 1
      return state.streamCount > 0
    }
    if hasPages { wake.call() }
  }

  /// The newest frame, with its count from 1, also after the end of the streams.
  var newest: (frame: LiveFrame, count: UInt64)? {
    state.withLock { state in state.newest.map { ($0, state.count) } }
  }

  /// The newest frame for a stream if it is newer than frame `last`, with its count.
  func next(after last: UInt64) -> (frame: LiveFrame, count: UInt64)? {
    state.withLock { $0.hasEnded } ? nil : newest.flatMap { $0.count > last ? $0 : nil }
  }

  /// The pixels of a frame of ``next(after:)``, at its size.
  func pixels(of frame: LiveFrame, _ count: UInt64) -> CVPixelBuffer {
    scaled.withLock { scaled in
      if let pixels = scaled.pixels, scaled.count == count { return pixels }
      let pixels = scaled.scaler.pixels(of: frame.buffer)
      (scaled.count, scaled.pixels) = (count, pixels)
      return pixels
    }
  }

  /// Ends the streams: the server's thread makes no more pieces of frames.
  func finish() { state.withLock { $0.hasEnded = true } }

  /// What a stream gets without a newer frame.
  var pieceWithoutFrame: HTTPBodyPiece { state.withLock { $0.hasEnded ? .end : .wait } }

  func open() { state.withLock { $0.streamCount += 1 } }
  func close() { state.withLock { $0.streamCount -= 1 } }
}

/// The frames of one page: before each, a length and a header; see `Docs/LivePage.md`.
final class LiveFrameStream: HTTPBodyStream {
  private let frames: LiveFrames
  /// The samples that the page needs along the longer side; `nil` for all.
  private let side: Int?
  private let clock: any MonotonicClock
  private let state = Mutex((last: UInt64(0), dropped: UInt64(0)))

  init(_ frames: LiveFrames, side: Int? = nil, clock: any MonotonicClock) {
    self.frames = frames
    self.side = side
    self.clock = clock
    frames.open()
  }

  deinit { frames.close() }

  func next() -> HTTPBodyPiece {
    let next = state.withLock { state -> (frame: LiveFrame, pixels: CVPixelBuffer, dropped: UInt64)? in
      guard let (frame, count) = frames.next(after: state.last) else { return nil }
      // The first frame of a page drops none.
      if state.last > 0 { state.dropped += count - state.last - 1 }
      state.last = count
      return (frame, frames.pixels(of: frame, count), state.dropped)
    }
    guard let next else { return frames.pieceWithoutFrame }
    return .bytes(encode(next.frame, next.pixels, dropped: next.dropped, at: clock.now))
  }

  var nextByteCount: Int {
    guard let buffer = frames.next(after: state.withLock { $0.last })?.frame.buffer else { return 0 }
    let (width, height) = (Int(buffer.width), Int(buffer.height))
    let step = step(width, height)
    return width * height * 3 / (2 * step * step)
  }

  /// The distance of two samples that are sent: each second one, each third, and so on. This costs less than the average of
  /// samples, and far less than to send all.
  private func step(_ width: Int, _ height: Int) -> Int {
    max(1, min(side.map { max(width, height) / $0 } ?? 1, min(width, height) / 2))
  }

  /// The lengths of header and planes as 32-bit little-endian numbers, the header as JSON, and the planes.
  private func encode(
    _ frame: LiveFrame, _ buffer: CVPixelBuffer, dropped: UInt64, at time: MonotonicTime
  ) -> [UInt8] {
    let (width, height) = (CVPixelBufferGetWidth(buffer), CVPixelBufferGetHeight(buffer))
    let step = step(width, height)
    let sizes = (0..<buffer.planeCount).map { plane -> (columns: Int, rows: Int) in
      let shape = buffer.planeShape(plane)
      if step == 1 { return (shape.width, shape.height) }
      // Two samples of luma, across and down, for each of chroma.
      return ((width / step & ~1) / (plane + 1), (height / step & ~1) / (plane + 1))
    }
    var planes: [LiveFrameHeader.Plane] = []
    var planeBytes = 0
    for (index, size) in sizes.enumerated() {
      // Rows without padding: Firefox 153 does not regard the strides of a layout.
      let stride = size.columns * (index + 1)
      planes.append(LiveFrameHeader.Plane(offset: planeBytes, stride: stride))
      planeBytes += stride * size.rows
    }
    let format = CVPixelBufferGetPixelFormatType(buffer)
    let header = LiveFrameHeader(
      number: frame.number, captureNs: frame.captureTime.nanoseconds,
      receiveNs: frame.receiveTime.nanoseconds, sendNs: time.nanoseconds,
      width: width, height: height, columns: sizes.first?.columns ?? 0, rows: sizes.first?.rows ?? 0,
      pixelFormat: format.fourCharacters, isFullRange: SampleRange(pixelFormat: format) != .limited,
      matrix: buffer.colourMatrix == .bt709 ? "bt709" : "smpte170m",
      orientation: frame.orientation, rotation: Int(frame.rotation.rawValue), planes: planes,
      framesDropped: dropped
    ).json
    let start = 8 + header.count
    var bytes = [UInt8](repeating: 0, count: start + planeBytes)
    var span = bytes.mutableSpan
    span.storeLittleEndian(UInt32(header.count), at: 0)
    span.storeLittleEndian(UInt32(planeBytes), at: 4)
    span.copy(header.span, to: 8)
    for (index, size) in sizes.enumerated() {
      let (offset, stride) = (start + planes[index].offset, planes[index].stride)
      buffer.readPlane(index) { plane, shape in
        if step == 1 {
          span.copyRows(size.rows, of: plane, every: shape.bytesPerRow, to: offset, toEvery: stride)
        } else {
          span.copySamples(
            size.columns, size.rows, every: step, arePairs: index > 0, of: plane,
            sourceStride: shape.bytesPerRow, to: offset)
        }
      }
    }
    return bytes
  }
}
