import WebRTC

/// A renderer that writes down what it is told.
final class Recorder: NSObject, RTCVideoRenderer {
  private(set) var calls: [String] = []
  private(set) var frames: [RTCVideoFrame] = []
  var onFrame: () -> Void = {}

  var pixels: [CVPixelBuffer] { frames.compactMap { ($0.buffer as? RTCCVPixelBuffer)?.pixelBuffer } }

  func setSize(_ size: CGSize) { calls.append("size \(Int(size.width))×\(Int(size.height))") }

  func renderFrame(_ frame: RTCVideoFrame?) {
    calls.append("frame")
    if let frame { frames.append(frame) }
    onFrame()
  }
}

/// A track with a renderer, fed by a source that was asked for a format.
func makeCall(width: Int32, height: Int32, fps: Int32) throws
  -> (track: RTCVideoTrack, source: RTCVideoSource, recorder: Recorder)
{
  let factory = RTCPeerConnectionFactory()
  let source = factory.videoSource()
  source.adaptOutputFormat(toWidth: width, height: height, fps: fps)
  let track = factory.videoTrack(with: source, trackId: "screen")
  let recorder = Recorder()
  track.add(recorder)
  return (track, source, recorder)
}
