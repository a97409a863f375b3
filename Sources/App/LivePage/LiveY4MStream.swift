import ContainingApp
import CoreVideo
import HTTPServer
import PictureFormats
import PixelAccess
import Synchronization

/// The frames that enter the call as YUV4MPEG2, upright, for players. The first frame decides the size.
final class LiveY4MStream: HTTPBodyStream {
  private struct State {
    var last: UInt64 = 0
    var scaler = FrameScaler()
    var turner = PictureTurner()
    var letterbox = Letterbox()
    var encoder: Y4MFrameEncoder?
  }

  private let frames: LiveFrames
  private let frameRate: Y4MHeader.Ratio
  private let state = Mutex(State())

  init(_ frames: LiveFrames, framesPerSecond: Double) {
    self.frames = frames
    frameRate = Y4MHeader.Ratio(framesPerSecond: framesPerSecond)
    frames.open()
  }

  deinit { frames.close() }

  func next() -> HTTPBodyPiece {
    state.withLock { state in
      guard let (frame, count) = frames.next(after: state.last) else { return .wait }
      state.last = count
      do { return .bytes(try encode(frame, &state)) } catch {
        // There is no memory for the frame, or it has a format that the stream cannot hold.
        return .end
      }
    }
  }

  private func encode(_ frame: LiveFrame, _ state: inout State) throws -> [UInt8] {
    let upright = try state.turner.turn(state.scaler.pixels(of: frame.buffer), by: frame.rotation)
    let header = try state.encoder?.header ?? Y4MHeader(showing: upright, frameRate: frameRate)
    let picture = try state.letterbox.place(upright, into: (header.width, header.height))
    guard state.encoder == nil else { return try state.encoder?.encode(picture) ?? [] }
    var encoder = Y4MFrameEncoder(header: header)
    let bytes = try Array((header.line + "\n").utf8) + encoder.encode(picture)
    state.encoder = encoder
    return bytes
  }
}
