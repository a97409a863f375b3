import PixelAccess
import Synchronization

/// A receiver of a track's frames, such as a view. Models `sdk/objc/base/RTCVideoRenderer.h`.
///
/// Both methods are called on the thread that captures.
public protocol RTCVideoRenderer: NSObjectProtocol {
  /// Takes the upright size of the following frames, in pixels: before the first frame and whenever it changes.
  func setSize(_ size: CGSize)

  /// Shows a frame.
  func renderFrame(_ frame: RTCVideoFrame?)
}

/// A track that passes the frames of a source to renderers. Models `sdk/objc/api/peerconnection/RTCVideoTrack.h`.
///
/// Unchecked `Sendable` because renderers are not `Sendable`: a lock protects their list, and each is called on the thread
/// that captures, as in libwebrtc.
public final class RTCVideoTrack: RTCMediaStreamTrack, @unchecked Sendable {
  /// The source of the frames.
  public let source: RTCVideoSource
  private let state = Mutex(State())

  private struct State {
    var outputs: [Output] = []
    var blackFrames = AdaptivePixelBufferPool()
  }

  init(source: RTCVideoSource, trackId: String) {
    self.source = source
    super.init(kind: kRTCMediaStreamTrackKindVideo, trackId: trackId)
  }

  /// Adds and retains a renderer, once.
  public func add(_ renderer: any RTCVideoRenderer) {
    let output = Output(renderer)
    state.withLock { state in
      guard !state.outputs.contains(where: { $0.renderer === output.renderer }) else { return }
      state.outputs.append(output)
    }
  }

  /// Removes a renderer. A delivery in progress on another thread may still call it.
  public func remove(_ renderer: any RTCVideoRenderer) {
    let removed = Output(renderer)
    state.withLock { $0.outputs.removeAll { $0.renderer === removed.renderer } }
  }

  /// Shows a frame, or a black one of the same size, time and rotation while the track is disabled.
  func deliver(_ frame: RTCVideoFrame) {
    let isEnabled = isEnabled
    let (outputs, shown) = state.withLock { state in
      (state.outputs, isEnabled || state.outputs.isEmpty ? frame : frame.blackened(from: &state.blackFrames))
    }
    // Outside of the lock: a renderer may add and remove renderers.
    for output in outputs { output.show(shown) }
  }

  /// A renderer and its latest size. The track calls it on the thread that captures.
  private final class Output: @unchecked Sendable {
    let renderer: any RTCVideoRenderer
    private let size = Mutex<CGSize?>(nil)

    init(_ renderer: any RTCVideoRenderer) { self.renderer = renderer }

    func show(_ frame: RTCVideoFrame) {
      let (width, height) = (Int(frame.width), Int(frame.height))
      let isTurned = frame.rotation == ._90 || frame.rotation == ._270
      let upright = isTurned ? CGSize(width: height, height: width) : CGSize(width: width, height: height)
      let isNew = size.withLock { size in
        defer { size = upright }
        return size != upright
      }
      if isNew { renderer.setSize(upright) }
      renderer.renderFrame(frame)
    }
  }
}

extension RTCVideoFrame {
  /// A black frame of the same size, time and rotation; the frame itself when no pixel buffer can be created.
  fileprivate func blackened(from pool: inout AdaptivePixelBufferPool) -> RTCVideoFrame {
    let isVideoRange =
      (buffer as? RTCCVPixelBuffer).map { CVPixelBufferGetPixelFormatType($0.pixelBuffer) }
      == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
    let format =
      isVideoRange
      ? kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange : kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    do throws(PixelBufferError) {
      let black = try pool.makeBuffer(width: Int(width), height: Int(height), pixelFormat: format)
      black.writePlane(0) { bytes, _ in bytes.fill(0..<bytes.count, with: isVideoRange ? 16 : 0) }
      black.writePlane(1) { bytes, _ in bytes.fill(0..<bytes.count, with: 128) }
      return RTCVideoFrame(
        buffer: RTCCVPixelBuffer(pixelBuffer: black), rotation: rotation, timeStampNs: timeStampNs)
    } catch {
      return self
    }
  }
}
