import PixelAccess
import TestSupport
import WebRTC

@Suite struct RTCVideoTrackTests {
  private func capture(_ frame: RTCVideoFrame, into source: RTCVideoSource) {
    source.capturer(RTCVideoCapturer(delegate: source), didCapture: frame)
  }

  @Test func theSizeComesBeforeTheFirstFrameAndWhenItChanges() throws {
    let (_, source, recorder) = try makeCall()
    for (width, height) in [(8, 16), (8, 16), (6, 16)] {
      capture(makeFrame(try makePixels(width, height)), into: source)
    }
    #expect(recorder.calls == ["size 8×16", "frame", "frame", "size 6×16", "frame"])
  }

  @Test func theSizeIsThatOfTheUprightFrame() throws {
    let (_, source, recorder) = try makeCall()
    let pixels = try makePixels(8, 16)
    for rotation in [RTCVideoRotation._0, ._180, ._90, ._270] {
      capture(makeFrame(pixels, rotation: rotation), into: source)
    }
    #expect(recorder.calls == ["size 8×16", "frame", "frame", "size 16×8", "frame", "frame"])
    #expect(recorder.frames.allSatisfy { $0.width == 8 && $0.height == 16 })
  }

  @Test func aLaterRendererGetsTheSizeToo() throws {
    let (track, source, _) = try makeCall()
    let pixels = try makePixels(8, 16)
    capture(makeFrame(pixels), into: source)
    let late = RecordingRenderer()
    track.add(late)
    capture(makeFrame(pixels), into: source)
    #expect(late.calls == ["size 8×16", "frame"])
  }

  @Test func aRendererAddedTwiceGetsAFrameOnceAndARemovedOneNone() throws {
    let (track, source, recorder) = try makeCall()
    track.add(recorder)
    let pixels = try makePixels(8, 8)
    capture(makeFrame(pixels), into: source)
    #expect(recorder.frames.count == 1)
    track.remove(recorder)
    capture(makeFrame(pixels), into: source)
    #expect(recorder.frames.count == 1)
  }

  @Test func aRendererMayRemoveItselfDuringAFrame() throws {
    let (track, source, recorder) = try makeCall()
    recorder.onFrame = { [weak recorder] in if let recorder { track.remove(recorder) } }
    let pixels = try makePixels(8, 8)
    for _ in 0..<3 { capture(makeFrame(pixels), into: source) }
    #expect(recorder.frames.count == 1)
  }

  @Test func renderersAreRetainedUntilRemoved() throws {
    let track = RTCPeerConnectionFactory().videoTrack(
      with: RTCPeerConnectionFactory().videoSource(), trackId: "screen")
    weak var kept: RecordingRenderer?
    do {
      let recorder = RecordingRenderer()
      kept = recorder
      track.add(recorder)
    }
    #expect(kept != nil)
    if let recorder = kept { track.remove(recorder) }
    #expect(kept == nil)
  }

  @Test(arguments: [(fullRange, 0), (videoRange, 16)] as [(OSType, UInt8)])
  func aDisabledTrackShowsBlack(format: OSType, black: UInt8) throws {
    let (track, source, recorder) = try makeCall()
    let frame = makeFrame(try makeNoise(10, 10, format: format), rotation: ._90)
    track.isEnabled = false
    capture(frame, into: source)
    track.isEnabled = true
    capture(frame, into: source)

    let shown = try #require(recorder.frames.first)
    #expect(shown.width == 10 && shown.height == 10 && shown.rotation == ._90)
    let pixels = try #require(recorder.pixels.first)
    #expect(CVPixelBufferGetPixelFormatType(pixels) == format)
    #expect(samples(pixels, plane: 0).allSatisfy { $0 == black })
    #expect(samples(pixels, plane: 1).allSatisfy { $0 == 128 })
    #expect(recorder.frames.last?.buffer === frame.buffer)
  }

  @Test func aTrackHasItsNameAndKind() {
    let factory = RTCPeerConnectionFactory()
    let track = factory.videoTrack(with: factory.videoSource(), trackId: "screen")
    #expect(track.trackId == "screen" && track.kind == kRTCMediaStreamTrackKindVideo && track.isEnabled)
  }

  @Test func sourcesDoNotRetainTracks() throws {
    let factory = RTCPeerConnectionFactory()
    let source = factory.videoSource()
    var track: RTCVideoTrack? = factory.videoTrack(with: source, trackId: "a")
    weak let kept = track
    track = nil
    #expect(kept == nil)
    #expect(track == nil)
    // A source without tracks drops the frame.
    capture(makeFrame(try makePixels(8, 8)), into: source)
  }
}
