import PixelAccess
import TestSupport
import Testing
import WebRTC

@Suite struct RTCVideoSourceTests {
  private func capture(_ frames: [RTCVideoFrame], into source: RTCVideoSource) {
    let capturer = RTCVideoCapturer(delegate: source)
    for frame in frames { capturer.delegate?.capturer(capturer, didCapture: frame) }
  }

  @Test func aFrameOfTheRightSizePassesUntouched() throws {
    for (width, height) in [(0, 0), (108, 72), (1080, 720)] as [(Int32, Int32)] {
      let (track, source, recorder) = try makeCall(width: width, height: height, fps: 60)
      let frame = makeFrame(try makeNoise(72, 108))
      capture([frame], into: source)
      #expect(recorder.frames.first === frame)
      #expect(track.source === source)
    }
  }

  @Test func anAdaptedFrameKeepsFormatRotationAndTime() throws {
    for format in [fullRange, videoRange] {
      let (track, source, recorder) = try makeCall(width: 30, height: 20, fps: 60)
      defer { withExtendedLifetime(track) {} }
      capture([makeFrame(try makeNoise(58, 126, format: format), rotation: ._270, at: 123)], into: source)
      let frame = try #require(recorder.frames.first)
      #expect(frame.width == 20 && frame.height == 30)
      #expect(frame.rotation == ._270 && frame.timeStampNs == 123)
      let pixels = try #require(recorder.pixels.first)
      #expect(CVPixelBufferGetWidth(pixels) == 20 && CVPixelBufferGetHeight(pixels) == 30)
      #expect(CVPixelBufferGetPixelFormatType(pixels) == format)
    }
  }

  @Test func aCropKeepsTheMiddle() throws {
    let (track, source, recorder) = try makeCall(width: 30, height: 20, fps: 60)
    defer { withExtendedLifetime(track) {} }
    let noise = try makeNoise(20, 46)
    capture([makeFrame(noise)], into: source)
    let shown = try #require(recorder.pixels.first)
    #expect(samples(shown, plane: 0) == Array(samples(noise, plane: 0)[8 * 20..<38 * 20]))
    #expect(samples(shown, plane: 1) == Array(samples(noise, plane: 1)[4 * 20..<19 * 20]))
  }

  @Test func aPartOfAPartIsTakenFromTheWholeFrame() throws {
    let (track, source, recorder) = try makeCall(width: 10, height: 10, fps: 60)
    defer { withExtendedLifetime(track) {} }
    let noise = try makeNoise(64, 64)
    // 40 × 20 scaled to 20 × 10: its middle 10 × 10 are 20 × 20 of the picture, from 10 further right.
    let part = RTCCVPixelBuffer(
      pixelBuffer: noise, adaptedWidth: 20, adaptedHeight: 10, cropWidth: 40, cropHeight: 20, cropX: 8,
      cropY: 6)
    capture([RTCVideoFrame(buffer: part, rotation: ._0, timeStampNs: 0)], into: source)
    let expected = ReferenceScaler.scale(
      noise, plane: 0, x: 16, y: 6, width: 20, height: 20, toWidth: 10, toHeight: 10)
    let shown = try #require(recorder.pixels.first)
    let worst = zip(samples(shown, plane: 0), expected).map { abs(Double($0) - $1) }.max() ?? 255
    #expect(worst <= 2)
  }

  @Test func anUnsupportedFormatKeepsItsPixelsAndGetsACrop() throws {
    let (track, source, recorder) = try makeCall(width: 30, height: 20, fps: 60)
    defer { withExtendedLifetime(track) {} }
    let bgra = try makePixels(40, 90, format: kCVPixelFormatType_32BGRA)
    capture([makeFrame(bgra)], into: source)
    let buffer = try #require(recorder.frames.first?.buffer as? RTCCVPixelBuffer)
    #expect(buffer.pixelBuffer === bgra)
    #expect(buffer.width == 20 && buffer.height == 30)
    #expect(buffer.cropX == 0 && buffer.cropY == 14)
    #expect(buffer.cropWidth == 40 && buffer.cropHeight == 60)
  }

  @Test func framesAreDroppedToMeetTheRate() throws {
    let (track, source, recorder) = try makeCall(width: 0, height: 0, fps: 30)
    defer { withExtendedLifetime(track) {} }
    let pixels = try makePixels(8, 8)
    capture((0..<60).map { makeFrame(pixels, at: Int64($0) * 16_666_667) }, into: source)
    #expect(recorder.frames.count == 30)
  }

  @Test func aNewSizeAtTheSameRateKeepsTheGrid() throws {
    let (track, source, recorder) = try makeCall(width: 0, height: 0, fps: 30)
    defer { withExtendedLifetime(track) {} }
    let pixels = try makePixels(8, 8)
    for index in 0..<6 {
      source.adaptOutputFormat(toWidth: 8, height: 8, fps: 30)
      capture([makeFrame(pixels, at: Int64(index) * 16_666_667)], into: source)
    }
    #expect(recorder.frames.map { $0.timeStampNs / 16_666_667 } == [0, 2, 4])
  }

  @Test func everyTrackGetsTheFrame() throws {
    let factory = RTCPeerConnectionFactory()
    let source = factory.videoSource()
    let tracks = ["a", "b"].map { factory.videoTrack(with: source, trackId: $0) }
    defer { withExtendedLifetime(tracks) {} }
    let recorders = tracks.map { track in
      let recorder = RecordingRenderer()
      track.add(recorder)
      return recorder
    }
    capture([makeFrame(try makePixels(8, 8))], into: source)
    #expect(recorders.map(\.frames.count) == [1, 1])
  }

  @Test func outputMemoryIsReusedOnceItsFrameIsReleased() throws {
    let factory = RTCPeerConnectionFactory()
    let source = factory.videoSource()
    source.adaptOutputFormat(toWidth: 8, height: 8, fps: 0)
    let track = factory.videoTrack(with: source, trackId: "screen")
    defer { withExtendedLifetime(track) {} }
    let renderer = AddressRenderer()
    track.add(renderer)
    for seed in 1...4 { capture([makeFrame(try makeNoise(16, 16, seed: UInt64(seed)))], into: source) }
    #expect(renderer.addresses.count == 4)
    #expect(Set(renderer.addresses).count == 1)
  }

  /// A renderer that keeps the address of the pixels and not the frame.
  private final class AddressRenderer: NSObject, RTCVideoRenderer {
    private(set) var addresses: [Int] = []

    func setSize(_ size: CGSize) {}

    func renderFrame(_ frame: RTCVideoFrame?) {
      guard let buffer = frame?.buffer as? RTCCVPixelBuffer else { return }
      CVPixelBufferLockBaseAddress(buffer.pixelBuffer, .readOnly)
      // UNSAFE: only the address is used; nothing is read.
      addresses.append(unsafe Int(bitPattern: CVPixelBufferGetBaseAddressOfPlane(buffer.pixelBuffer, 0)))
      CVPixelBufferUnlockBaseAddress(buffer.pixelBuffer, .readOnly)
    }
  }
}
