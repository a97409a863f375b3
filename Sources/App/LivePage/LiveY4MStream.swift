import ContainingApp
import CoreVideo
import HTTPServer
import PictureFormats
import PixelAccess
import Synchronization

/// The frames that enter the call as YUV4MPEG2, upright, for players. The first frame decides the size.
///
/// It keeps no memory of a frame, because there are as many streams as clients.
final class LiveY4MStream: HTTPBodyStream {
  private let frames: LiveFrames
  private let frameRate: Y4MHeader.Ratio
  private let state = Mutex((last: UInt64(0), header: Y4MHeader?.none))

  init(_ frames: LiveFrames, framesPerSecond: Double) {
    self.frames = frames
    frameRate = Y4MHeader.Ratio(framesPerSecond: framesPerSecond)
    frames.open()
  }

  deinit { frames.close() }

  var nextByteCount: Int {
    state.withLock { state in
      frames.next(after: state.last) == nil ? 0 : state.header?.frameByteCount ?? 0
    }
  }

  func next() -> HTTPBodyPiece {
    state.withLock { state in
      guard let (frame, count) = frames.next(after: state.last) else { return frames.pieceWithoutFrame }
      do {
        var (turner, letterbox) = (PictureTurner(), Letterbox())
        let upright = try turner.turn(frames.pixels(of: frame, count), by: frame.rotation)
        guard let header = state.header else {
          let header = try Y4MHeader(showing: upright, frameRate: frameRate)
          state.header = header
          return .bytes(Array((header.line + "\n").utf8))
        }
        state.last = count
        var encoder = Y4MFrameEncoder(header: header)
        return .bytes(try encoder.encode(letterbox.place(upright, into: (header.width, header.height))))
      } catch {
        // There is no memory for the frame, or it has a format that the stream cannot hold.
        return .end
      }
    }
  }
}
