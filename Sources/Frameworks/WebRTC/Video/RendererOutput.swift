import Synchronization

/// One renderer of a track, and the size it was last told.
///
/// Sendable without a check because renderers are not; the track calls them on the thread that captures.
final class RendererOutput: @unchecked Sendable {
  private let renderer: any RTCVideoRenderer
  private let size = Mutex<CGSize?>(nil)

  init(_ renderer: any RTCVideoRenderer) { self.renderer = renderer }

  func shows(_ other: RendererOutput) -> Bool { renderer === other.renderer }

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
