import TestSupport
import WebRTC

@Suite struct RTCMediaStreamTests {
  /// An app's stream, created as in the article.
  private final class LocalStream {
    let stream: RTCMediaStream
    let source: RTCVideoSource
    let capturer: RTCVideoCapturer

    init(_ factory: RTCPeerConnectionFactory = RTCPeerConnectionFactory()) {
      source = factory.videoSource()
      source.adaptOutputFormat(toWidth: 1080, height: 720, fps: 60)
      capturer = RTCVideoCapturer(delegate: source)
      stream = factory.mediaStream(withStreamId: "stream")
      stream.addVideoTrack(factory.videoTrack(with: source, trackId: "video"))
      stream.addAudioTrack(factory.audioTrack(withTrackId: "audio"))
    }
  }

  @Test func theTracksOfALocalStreamGetItsFrames() throws {
    let local = LocalStream()
    let recorder = RecordingRenderer()
    local.stream.videoTracks.first?.add(recorder)
    let frame = RTCVideoFrame(
      buffer: RTCCVPixelBuffer(pixelBuffer: try makePixels(72, 108)), rotation: ._0, timeStampNs: 1)
    local.source.capturer(local.capturer, didCapture: frame)
    #expect(recorder.frames.count == 1 && local.stream.streamId == "stream")
    #expect(local.stream.audioTracks.map(\.trackId) == ["audio"])
  }

  @Test func aTrackOfANameIsHeldOnceAndCanBeRemoved() throws {
    let factory = RTCPeerConnectionFactory()
    let stream = factory.mediaStream(withStreamId: "stream")
    let video = factory.videoTrack(with: factory.videoSource(), trackId: "a")
    let audio = factory.audioTrack(withTrackId: "a")
    for _ in 0..<2 { stream.addVideoTrack(video) }
    stream.addVideoTrack(factory.videoTrack(with: factory.videoSource(), trackId: "a"))
    stream.addAudioTrack(audio)
    #expect(stream.videoTracks == [video] && stream.audioTracks == [audio])
    stream.removeVideoTrack(video)
    stream.removeAudioTrack(audio)
    #expect(stream.videoTracks.isEmpty && stream.audioTracks.isEmpty)
  }
}
