import TestSupport
import WebRTC

/// Returns a track with a renderer, and the track's source. If there is a width, the source has the requested format.
func makeCall(width: Int32? = nil, height: Int32 = 0, fps: Int32 = 0) throws
  -> (track: RTCVideoTrack, source: RTCVideoSource, recorder: RecordingRenderer)
{
  let factory = RTCPeerConnectionFactory()
  let source = factory.videoSource()
  if let width { source.adaptOutputFormat(toWidth: width, height: height, fps: fps) }
  let track = factory.videoTrack(with: source, trackId: "screen")
  let recorder = RecordingRenderer()
  track.add(recorder)
  // The track lives as long as its recorder.
  recorder.onFrame = { withExtendedLifetime(track) {} }
  return (track, source, recorder)
}
