import TestSupport
import WebRTC

/// A track with a renderer, and its source with a requested format if there is a width.
func makeCall(width: Int32? = nil, height: Int32 = 0, fps: Int32 = 0) throws
  -> (track: RTCVideoTrack, source: RTCVideoSource, recorder: RecordingRenderer)
{
  let factory = RTCPeerConnectionFactory()
  let source = factory.videoSource()
  if let width { source.adaptOutputFormat(toWidth: width, height: height, fps: fps) }
  let track = factory.videoTrack(with: source, trackId: "screen")
  let recorder = RecordingRenderer()
  track.add(recorder)
  return (track, source, recorder)
}
