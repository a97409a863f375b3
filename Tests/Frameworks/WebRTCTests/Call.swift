import TestSupport
import WebRTC

/// A track with a renderer, and its source with a requested format.
func makeCall(width: Int32, height: Int32, fps: Int32) throws
  -> (track: RTCVideoTrack, source: RTCVideoSource, recorder: RecordingRenderer)
{
  let factory = RTCPeerConnectionFactory()
  let source = factory.videoSource()
  source.adaptOutputFormat(toWidth: width, height: height, fps: fps)
  let track = factory.videoTrack(with: source, trackId: "screen")
  let recorder = RecordingRenderer()
  track.add(recorder)
  return (track, source, recorder)
}
