import WebRTC

/// A renderer that records its calls.
package final class RecordingRenderer: NSObject, RTCVideoRenderer {
  /// The calls, in order.
  package private(set) var calls: [String] = []
  /// The frames it was given.
  package private(set) var frames: [RTCVideoFrame] = []
  /// What it does at every frame.
  package var onFrame: () -> Void = {}

  /// The pictures of the frames.
  package var pixels: [CVPixelBuffer] {
    frames.compactMap { ($0.buffer as? RTCCVPixelBuffer)?.pixelBuffer }
  }

  /// Writes the size down.
  package func setSize(_ size: CGSize) { calls.append("size \(Int(size.width))×\(Int(size.height))") }

  /// Writes the frame down.
  package func renderFrame(_ frame: RTCVideoFrame?) {
    calls.append("frame")
    if let frame { frames.append(frame) }
    onFrame()
  }
}
