import PixelAccess
import TestSupport

@testable import WebRTC

@Suite struct RTCVideoSourceTests {
  private func capture(_ frames: [RTCVideoFrame], into source: RTCVideoSource) {
    let capturer = RTCVideoCapturer(delegate: source)
    for frame in frames { capturer.delegate?.capturer(capturer, didCapture: frame) }
  }

  @Test func aFrameOfTheRightSizeKeepsItsPixels() throws {
    for (width, height) in [(108, 72), (1080, 720)] as [(Int32, Int32)] {
      let (track, source, recorder) = try makeCall(width: width, height: height, fps: 60)
      let noise = try makeNoise(72, 108)
      capture([makeFrame(noise)], into: source)
      #expect(recorder.pixels.first === noise)
      #expect(track.source === source)
    }
  }

  @Test func aSizeOfZeroDropsAllFramesUntilAnotherRequest() throws {
    let (_, source, recorder) = try makeCall(width: 0, height: 0, fps: 15)
    let pixels = try makePixels(8, 8)
    capture((0..<60).map { makeFrame(pixels, at: Int64($0) * 16_666_667) }, into: source)
    #expect(recorder.frames.isEmpty)
    source.adaptOutputFormat(toWidth: 8, height: 8, fps: 15)
    capture([makeFrame(pixels, at: 2_000_000_000)], into: source)
    #expect(recorder.frames.count == 1)
  }

  @Test func withoutARequestOddSizesLoseAPixel() throws {
    let (_, source, recorder) = try makeCall()
    let noise = try makeNoise(33, 17)
    capture([makeFrame(noise)], into: source)
    #expect(recorder.frames.first.map { [$0.width, $0.height] } == [32, 16])
    let shown = try #require(recorder.pixels.first)
    #expect(samples(shown, plane: 0).prefix(32) == samples(noise, plane: 0).prefix(32))
  }

  @Test func anAdaptedFrameKeepsFormatAndRotation() throws {
    for format in [fullRange, videoRange] {
      let (_, source, recorder) = try makeCall(width: 30, height: 20, fps: 60)
      capture([makeFrame(try makeNoise(58, 126, format: format), rotation: ._270)], into: source)
      let frame = try #require(recorder.frames.first)
      #expect(frame.width == 14 && frame.height == 22 && frame.rotation == ._270)
      let pixels = try #require(recorder.pixels.first)
      #expect(CVPixelBufferGetWidth(pixels) == 14 && CVPixelBufferGetHeight(pixels) == 22)
      #expect(CVPixelBufferGetPixelFormatType(pixels) == format)
    }
  }

  @Test func aRendererGetsTheWholeBufferWithPartAndSizeBesideIt() throws {
    let (_, source, recorder) = try makeCall(width: 1280, height: 720, fps: 30)
    let pixels = try makePixels(886, 1918)
    capture([makeFrame(pixels)], into: source)
    let buffer = try #require(recorder.frames.first?.buffer as? RTCCVPixelBuffer)
    #expect(buffer.pixelBuffer === pixels)
    #expect([buffer.width, buffer.height] == [660, 1182])
    #expect([buffer.cropX, buffer.cropY, buffer.cropWidth, buffer.cropHeight] == [2, 170, 880, 1576])
    let scaled = try makePixels(660, 1182)
    #expect(buffer.writesPart(to: scaled))
    #expect([buffer.toI420().width, buffer.toI420().height] == [660, 1182])
  }

  @Test func aCropKeepsTheMiddle() throws {
    let (_, source, recorder) = try makeCall(width: 30, height: 20, fps: 60)
    let noise = try makeNoise(20, 46)
    capture([makeFrame(noise)], into: source)
    let shown = try #require(recorder.pixels.first)
    #expect(samples(shown, plane: 0) == Array(samples(noise, plane: 0)[8 * 20..<38 * 20]))
    #expect(samples(shown, plane: 1) == Array(samples(noise, plane: 1)[4 * 20..<19 * 20]))
  }

  /// Returns noise, and the image of a part of it in a call with this size. The part has 40 × 20 pixels at (8, 6), and the
  /// app has adapted it to 20 × 10.
  private func shownPart(
    width: Int32, height: Int32
  ) throws -> (noise: CVPixelBuffer, shown: CVPixelBuffer) {
    let (_, source, recorder) = try makeCall(width: width, height: height, fps: 60)
    let noise = try makeNoise(64, 64)
    let part = RTCCVPixelBuffer(
      pixelBuffer: noise, adaptedWidth: 20, adaptedHeight: 10, cropWidth: 40, cropHeight: 20, cropX: 8,
      cropY: 6)
    capture([RTCVideoFrame(buffer: part, rotation: ._0, timeStampNs: 0)], into: source)
    return (noise, try #require(recorder.pixels.first))
  }

  @Test func aPartThatTheAppMadeIsScaledAndPassedOn() throws {
    let (noise, shown) = try shownPart(width: 20, height: 10)
    let expected = ReferenceScaler.scale(
      noise, plane: 0, x: 8, y: 6, width: 40, height: 20, toWidth: 20, toHeight: 10)
    let worst = zip(samples(shown, plane: 0), expected).map { abs(Double($0) - $1) }.max() ?? 255
    #expect(worst <= 2)
  }

  @Test func aPartOfAScaledPartIsTakenFromItsUnscaledPixels() throws {
    // Like libwebrtc, the source ignores the scale of the first part.
    let (noise, shown) = try shownPart(width: 10, height: 10)
    // The middle 10 × 10 of 20 × 10 begins 5 pixels further right, at 13. The corner of a part is even, so it begins at 12.
    let luma = samples(noise, plane: 0)
    let rows = (6..<16).flatMap { (row: Int) -> ArraySlice<UInt8> in
      luma[row * 64 + 12..<row * 64 + 22]
    }
    #expect(samples(shown, plane: 0) == rows)
  }

  @Test func anUnsupportedFormatKeepsItsPixelsAndGetsACrop() throws {
    let (_, source, recorder) = try makeCall(width: 30, height: 20, fps: 60)
    let bgra = try makePixels(40, 90, format: kCVPixelFormatType_32BGRA)
    capture([makeFrame(bgra)], into: source)
    let buffer = try #require(recorder.frames.first?.buffer as? RTCCVPixelBuffer)
    #expect(buffer.pixelBuffer === bgra && buffer.width == 20 && buffer.height == 30)
    #expect(buffer.cropX == 0 && buffer.cropY == 14 && buffer.cropWidth == 40 && buffer.cropHeight == 60)
  }

  /// Returns the indices of the frames that are kept, for a source at 60 frames per second and a requested rate of 30.
  private func kept(_ count: Int, beforeEach: (RTCVideoSource) -> Void = { _ in }) throws -> [Int] {
    let (_, source, recorder) = try makeCall(width: 8, height: 8, fps: 30)
    var kept: [Int] = []
    for index in 0..<count {
      beforeEach(source)
      let before = recorder.frames.count
      capture([makeFrame(try makePixels(8, 8), at: Int64(index) * 16_666_667)], into: source)
      if recorder.frames.count > before { kept.append(index) }
    }
    return kept
  }

  @Test func framesAreDroppedToMeetTheRate() throws {
    #expect(try (kept(8), kept(60).count) == ([0, 1, 3, 5, 7], 31))
  }

  @Test func aRequestStartsTheSelectionAnew() throws {
    #expect(try kept(6) { $0.adaptOutputFormat(toWidth: 8, height: 8, fps: 30) } == [0, 1, 2, 3, 4, 5])
  }

  @Test func timesAreTranslatedToTheClockOfTheCall() throws {
    let factory = RTCPeerConnectionFactory()
    let now = Mutex(Int64(900_000_000_000))
    let source = RTCVideoSource(factory: factory) { now.withLock { $0 } }
    let (track, recorder) = (RTCVideoTrack(source: source, trackId: "screen"), RecordingRenderer())
    source.attach(track)
    track.add(recorder)
    for index in 0..<3 as Range<Int64> {
      // The frames are captured on another clock, and each frame is delayed by 4 ms more than the frame before.
      capture([makeFrame(try makePixels(8, 8), at: 123_456 + index * 10_000_000)], into: source)
      now.withLock { $0 += 14_000_000 }
    }
    // The mean delays are 0, 2 and 4 ms.
    #expect(recorder.frames.map(\.timeStampNs) == [900_000_000_000, 900_012_000_000, 900_024_000_000])
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
}
