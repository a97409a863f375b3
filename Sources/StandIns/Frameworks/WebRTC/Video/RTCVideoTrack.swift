/// Both methods are called on the capturing thread.
public protocol RTCVideoRenderer: NSObjectProtocol {
  func setSize(_ size: CGSize)
  func renderFrame(_ frame: RTCVideoFrame?)
}

/// Unchecked `Sendable` because renderers are not `Sendable`: a lock protects their list. As in libwebrtc, each is
/// called on the capturing thread.
public final class RTCVideoTrack: RTCMediaStreamTrack, @unchecked Sendable {
  public let source: RTCVideoSource
  private let lock = NSLock()
  /// The renderers with their latest sizes.
  private var outputs: [(renderer: any RTCVideoRenderer, size: CGSize?)] = []
  private var black: CVPixelBuffer?

  init(source: RTCVideoSource, trackId: String) {
    self.source = source
    super.init(kind: kRTCMediaStreamTrackKindVideo, trackId: trackId)
  }

  public func add(_ renderer: any RTCVideoRenderer) {
    lock.withLock {
      if !outputs.contains(where: { $0.renderer === renderer }) { outputs.append((renderer, nil)) }
    }
  }

  /// A delivery in progress on another thread may still call it.
  public func remove(_ renderer: any RTCVideoRenderer) {
    lock.withLock { outputs.removeAll { $0.renderer === renderer } }
  }

  /// Passes a frame to the renderers. While the track is disabled, passes a black frame with the same size, time and rotation.
  func deliver(_ frame: RTCVideoFrame) {
    let (width, height) = (Int(frame.width), Int(frame.height))
    let isTurned = frame.rotation == ._90 || frame.rotation == ._270
    let size = isTurned ? CGSize(width: height, height: width) : CGSize(width: width, height: height)
    let (targets, shown) = lock.withLock {
      defer { for index in outputs.indices { outputs[index].size = size } }
      return (outputs, isEnabled || outputs.isEmpty ? frame : blackened(frame))
    }
    // Outside of the lock, because a renderer may add and remove renderers.
    for target in targets {
      if target.size != size { target.renderer.setSize(size) }
      target.renderer.renderFrame(shown)
    }
  }

  /// Returns a black frame with the same size, time and rotation; the same frame if no pixel buffer can be created.
  private func blackened(_ frame: RTCVideoFrame) -> RTCVideoFrame {
    let (videoRange, fullRange) = (
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    )
    let source = (frame.buffer as? RTCCVPixelBuffer).map { CVPixelBufferGetPixelFormatType($0.pixelBuffer) }
    let format = source == videoRange ? videoRange : fullRange
    let (width, height) = (Int(frame.width), Int(frame.height))
    // Renderers do not write into a frame, so one buffer serves all frames of its size.
    let isReusable = black.map {
      CVPixelBufferGetWidth($0) == width && CVPixelBufferGetHeight($0) == height
        && CVPixelBufferGetPixelFormatType($0) == format
    }
    if isReusable != true {
      black = .make(width: width, height: height, pixelFormat: format)
      black?.withMutablePlane(0) { bytes, _ in bytes.update(repeating: format == videoRange ? 16 : 0) }
      black?.withMutablePlane(1) { bytes, _ in bytes.update(repeating: 128) }
    }
    return black.map {
      RTCVideoFrame(
        buffer: RTCCVPixelBuffer(pixelBuffer: $0), rotation: frame.rotation, timeStampNs: frame.timeStampNs)
    } ?? frame
  }
}
