import CommandLineSupport
import CoreVideo
import PictureFormats
import PixelAccess
import WebRTC

/// Writes the frames upright as a Y4M stream into a file or a pipe.
///
/// The first frame decides the size of the stream; later frames of another size get black bars.
package final class Y4MOutput: NSObject, VideoOutput {
  private let stream: BackgroundStream
  private var scaler = FrameScaler()
  private var turner = PictureTurner()
  private var letterbox = Letterbox()
  private var size: (width: Int, height: Int)?

  /// Creates an output to the file at `path` (`-`: stdout). The header of the stream states `framesPerSecond`.
  package init(path: String, framesPerSecond: Double) throws(ProgramFailure) {
    stream = try BackgroundStream(path: path, frameRate: Y4MHeader.Ratio(framesPerSecond: framesPerSecond))
    super.init()
  }

  package var failure: ProgramFailure? { stream.failure }

  /// The frames that were not written because too many were waiting.
  package var framesDropped: UInt64 { stream.framesDropped }

  package var notice: String? {
    framesDropped == 0
      ? nil : "\(framesDropped) frames were not written to \(stream.name), because its reader was slow."
  }

  package nonisolated func renderFrame(_ frame: RTCVideoFrame?) {
    MainActor.assumeIsolated {
      guard let frame, let buffer = frame.buffer as? RTCCVPixelBuffer, stream.reserve() else {
        return
      }
      let picture: CVPixelBuffer
      do {
        let upright = try turner.turn(scaler.pixels(of: buffer), by: PictureRotation(frame.rotation))
        let size = size ?? (CVPixelBufferGetWidth(upright), CVPixelBufferGetHeight(upright))
        self.size = size
        picture = try letterbox.place(upright, into: size)
      } catch {
        return stream.fail(ProgramFailure(.internalError, "\(error)."))
      }
      stream.write(picture)
    }
  }

  /// Waits until the waiting frames are written, up to two seconds.
  package func finish() throws(ProgramFailure) { try stream.close() }
}

extension Y4MHeader.Ratio {
  /// Creates a rate, rounded to three decimals.
  package init(framesPerSecond: Double) {
    let unit = framesPerSecond == framesPerSecond.rounded() ? 1 : 1000
    self.init(Int((framesPerSecond * Double(unit)).rounded()), unit)
  }
}

extension Y4MHeader {
  /// Creates the header of a stream whose frames have the size, the range and the matrix of `picture`.
  package init(showing picture: CVPixelBuffer, frameRate: Ratio) throws(Error) {
    let format = CVPixelBufferGetPixelFormatType(picture)
    try self.init(
      width: CVPixelBufferGetWidth(picture), height: CVPixelBufferGetHeight(picture), frameRate: frameRate,
      range: format == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange ? .limited : .full,
      matrix: picture.colourMatrix)
  }
}
