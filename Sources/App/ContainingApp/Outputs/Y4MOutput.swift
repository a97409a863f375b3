import CommandLineSupport
import CoreVideo
import Dispatch
import PictureFormats
import PixelAccess
import WebRTC

/// Writes the frames as a Y4M stream into a file or a pipe, upright.
///
/// A stream has one size: that of its first frame. Later frames of another size are put into it with bars. It is
/// written on a queue of its own: a reader that is slow costs frames, which are counted, and holds nothing up.
package final class Y4MOutput: VideoOutput {
  private let stream: Y4MStream
  private let queue = DispatchQueue(label: "y4m")
  private var turner = PictureTurner()
  private var letterbox = Letterbox()
  private var size: (width: Int, height: Int)?

  /// An output into the file at `path`, or to standard output for `-`. The stream states `framesPerSecond`.
  package init(path: String, framesPerSecond: Double) throws(ProgramFailure) {
    stream = try Y4MStream(path: path, framesPerSecond: framesPerSecond)
    queue.async { [stream] in stream.open() }
  }

  /// Why writing stopped, once it has.
  package var failure: ProgramFailure? { stream.failure }

  /// Frames that were not written because too many were waiting already.
  package var framesDropped: UInt64 { stream.framesDropped }

  /// How many frames a slow reader cost, if any.
  package var notice: String? {
    framesDropped == 0
      ? nil : "\(framesDropped) frames were not written to \(stream.name), because its reader was slow."
  }

  /// Hands the frame to the writing queue.
  package func show(_ frame: RTCVideoFrame) {
    guard let pixelBuffer = frame.pixelBuffer, stream.takesMore() else { return }
    let picture: CVPixelBuffer
    do {
      let upright = try turner.turn(pixelBuffer, by: PictureRotation(frame.rotation))
      let size = size ?? (CVPixelBufferGetWidth(upright), CVPixelBufferGetHeight(upright))
      self.size = size
      picture = try letterbox.place(upright, into: size)
    } catch {
      return stream.fail(ProgramFailure(.internalError, "\(error)."))
    }
    queue.async { [stream] in stream.write(picture) }
  }

  /// Waits until the frames under way are written; five seconds at the most, for a reader that stands still.
  package func finish() throws(ProgramFailure) {
    try queue.close(stream.name, of: "frames") { [stream] in stream.close() }
    if let failure { throw failure }
  }
}
