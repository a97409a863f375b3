import ContainingApp
import CoreVideo
import HTTPServer
import PictureFormats
import PixelAccess
import Platform
import ScreenBroadcast
import Synchronization
import WebRTC

/// A frame for pages.
struct LiveFrame: Sendable {
  /// The pixels. For a frame of the call, the buffer is complete, and has its crop and its size.
  var buffer: RTCCVPixelBuffer
  var rotation: PictureRotation
  /// The orientation that the extension stated; `nil` for frames of the call. Its name takes microseconds, so it is created only
  /// for pages.
  var orientation: CGImagePropertyOrientation?
  /// The frame's number in its session; 0 for frames of the call.
  var number: UInt64
  var captureTime: MonotonicTime
  var receiveTime: MonotonicTime

  /// Returns the pixels, scaled down if the upright picture does not fit into `room`.
  func buffer(within room: PixelSize?) -> RTCCVPixelBuffer {
    guard let room else { return buffer }
    let size = PixelSize(width: Int(buffer.width), height: Int(buffer.height))
    let (width, height) = rotation.uprightSize(width: room.width, height: room.height)
    guard size.width > width || size.height > height else { return buffer }
    let fitted = size.fitted(into: PixelSize(width: width, height: height))
    return RTCCVPixelBuffer(
      pixelBuffer: buffer.pixelBuffer, adaptedWidth: Int32(fitted.width), adaptedHeight: Int32(fitted.height),
      cropWidth: buffer.cropWidth, cropHeight: buffer.cropHeight, cropX: buffer.cropX, cropY: buffer.cropY)
  }
}

/// The newest frame of a picture, for any number of pages. A page receives the newest frame once it has taken the previous one.
/// The frames in between count as dropped for the page.
final class LiveFrames: Sendable {
  private struct State {
    var newest: LiveFrame?
    var count: UInt64 = 0
    var streamCount = 0
    var hasEnded = false
  }

  /// Called when a new frame is available for pages.
  private let wake: StreamWaker

  private let state = Mutex(State())
  /// The pixels of one frame, scaled once for all pages with the same size.
  private let scaled = Mutex(
    (scaler: FrameScaler(), count: UInt64(0), room: PixelSize?.none, pixels: CVPixelBuffer?.none))

  init(wake: StreamWaker = StreamWaker()) { self.wake = wake }

  /// Replaces the newest frame. Without a page it does nothing else.
  func publish(_ frame: LiveFrame) {
    let hasPages = state.withLock { state in
      state.newest = frame
      state.count += 1
      return state.streamCount > 0
    }
    if hasPages { wake.call() }
  }

  /// The newest frame with its count (from 1), even after the end of the streams.
  var newest: (frame: LiveFrame, count: UInt64)? {
    state.withLock { state in state.newest.map { ($0, state.count) } }
  }

  /// Returns the newest frame with its count, if it is newer than frame `last` and the streams have not ended.
  func next(after last: UInt64) -> (frame: LiveFrame, count: UInt64)? {
    hasEnded ? nil : newest.flatMap { $0.count > last ? $0 : nil }
  }

  /// Returns the pixels of a frame from ``next(after:)``, scaled down if the frame does not fit into `room`.
  func pixels(of frame: LiveFrame, _ count: UInt64, within room: PixelSize? = nil) -> CVPixelBuffer {
    scaled.withLock { scaled in
      if let pixels = scaled.pixels, scaled.count == count, scaled.room == room { return pixels }
      let pixels = scaled.scaler.pixels(of: frame.buffer(within: room))
      (scaled.count, scaled.room, scaled.pixels) = (count, room, pixels)
      return pixels
    }
  }

  /// Ends the streams. The server's thread creates no more pieces.
  func finish() { state.withLock { $0.hasEnded = true } }

  var hasEnded: Bool { state.withLock { $0.hasEnded } }

  func open() { state.withLock { $0.streamCount += 1 } }
  func close() { state.withLock { $0.streamCount -= 1 } }
}

/// The frames of one or both pictures of a page. A length and a header come before each frame; see `Docs/LivePage.md`.
final class LiveFrameStream: HTTPBodyStream {
  /// A picture of the page: its name in the headers, and the maximum size on the page (`nil` for the size of the frame).
  struct Picture {
    var name = "phone"
    let frames: LiveFrames
    var room: PixelSize?
    fileprivate(set) var last = UInt64(0)
    fileprivate(set) var dropped = UInt64(0)

    fileprivate var next: (frame: LiveFrame, count: UInt64)? { frames.next(after: last) }
  }

  private let pictures: Mutex<[Picture]>
  private let clock: any MonotonicClock

  init(_ pictures: Picture..., clock: any MonotonicClock) {
    self.pictures = Mutex(pictures)
    self.clock = clock
    for picture in pictures { picture.frames.open() }
  }

  deinit { pictures.withLock { for picture in $0 { picture.frames.close() } } }

  func next() -> HTTPBodyPiece {
    pictures.withLock { pictures in
      guard let index = pictures.firstIndex(where: { $0.next != nil }),
        let (frame, count) = pictures[index].next
      else { return pictures.allSatisfy(\.frames.hasEnded) ? .end : .wait }
      // The next turn belongs to the other picture.
      var picture = pictures.remove(at: index)
      // Frames before a page's first frame do not count as dropped.
      if picture.last > 0 { picture.dropped += count - picture.last - 1 }
      picture.last = count
      pictures.append(picture)
      return .bytes(encode(frame, picture.frames.pixels(of: frame, count, within: picture.room), of: picture))
    }
  }

  var nextByteCount: Int {
    pictures.withLock { pictures in
      guard let picture = pictures.first(where: { $0.next != nil }), let frame = picture.next?.frame else {
        return 0
      }
      let buffer = frame.buffer(within: picture.room)
      return Int(buffer.width) * Int(buffer.height) * 3 / 2
    }
  }

  /// Encodes the lengths of the header and the planes (32-bit little-endian numbers), the JSON header, and the planes.
  private func encode(_ frame: LiveFrame, _ buffer: CVPixelBuffer, of picture: Picture) -> [UInt8] {
    var planes: [LiveFrameHeader.Plane] = []
    var planeBytes = 0
    for (index, shape) in (0..<buffer.planeCount).map(buffer.planeShape).enumerated() {
      // No padding in rows, because Firefox 153 ignores the strides of a layout.
      let stride = shape.width * (index + 1)
      planes.append(LiveFrameHeader.Plane(offset: planeBytes, stride: stride))
      planeBytes += stride * shape.height
    }
    let format = CVPixelBufferGetPixelFormatType(buffer)
    let header = LiveFrameHeader(
      of: picture.name, number: frame.number, captureNs: frame.captureTime.nanoseconds,
      receiveNs: frame.receiveTime.nanoseconds, sendNs: clock.now.nanoseconds,
      width: Int(frame.buffer.width), height: Int(frame.buffer.height),
      columns: CVPixelBufferGetWidth(buffer), rows: CVPixelBufferGetHeight(buffer),
      isCropped: frame.buffer.requiresCropping(), pixelFormat: format.fourCharacters,
      isFullRange: SampleRange(pixelFormat: format) != .limited,
      matrix: buffer.colourMatrix == .bt709 ? "bt709" : "smpte170m",
      orientation: frame.orientation?.name ?? "", rotation: Int(frame.rotation.rawValue), planes: planes,
      framesDropped: picture.dropped
    ).json
    let start = 8 + header.count
    var bytes = [UInt8](repeating: 0, count: start + planeBytes)
    var span = bytes.mutableSpan
    span.storeLittleEndian(UInt32(header.count), at: 0)
    span.storeLittleEndian(UInt32(planeBytes), at: 4)
    span.copy(header.span, to: 8)
    for (index, target) in planes.enumerated() {
      buffer.readPlane(index) { plane, shape in
        span.copyRows(
          shape.height, of: plane, every: shape.bytesPerRow, to: start + target.offset, toEvery: target.stride
        )
      }
    }
    return bytes
  }
}
