import WebRTC

package final class RecordingRenderer: NSObject, RTCVideoRenderer {
  package private(set) var calls: [String] = []
  package private(set) var frames: [RTCVideoFrame] = []
  package var onFrame: () -> Void = {}

  /// The images of the frames, with the cropping and scaling that each frame's buffer requires.
  package var pixels: [CVPixelBuffer] { frames.compactMap { ($0.buffer as? RTCCVPixelBuffer)?.scaledPixels } }

  package func setSize(_ size: CGSize) { calls.append("size \(Int(size.width))×\(Int(size.height))") }

  package func renderFrame(_ frame: RTCVideoFrame?) {
    calls.append("frame")
    if let frame { frames.append(frame) }
    onFrame()
  }
}

extension RTCCVPixelBuffer {
  fileprivate var scaledPixels: CVPixelBuffer? {
    guard requiresCropping() || requiresScaling(toWidth: width, height: height) else { return pixelBuffer }
    var scaled: CVPixelBuffer?
    let format = CVPixelBufferGetPixelFormatType(pixelBuffer)
    // UNSAFE: the out parameter is a local variable.
    _ = unsafe CVPixelBufferCreate(nil, Int(width), Int(height), format, nil, &scaled)
    // UNSAFE: only because of the type of a parameter that is `nil`.
    guard let scaled, unsafe cropAndScale(to: scaled, withTempBuffer: nil) else { return nil }
    return scaled
  }
}
