import CoreVideo
import PictureFormats
import PixelAccess

/// A screen that shows a Y4M clip, or a live stream that a program writes into a pipe.
///
/// The clip is read ahead on a queue of its own, at most three frames. A slow pipe leaves the screen unchanged, and a
/// fast one is read no faster than it is shown.
package final class ClipContent: ScreenContent {
  /// The clip's own frame rate, limited to 1…240 frames per second; `nil` if it has none.
  package let framesPerSecond: Double?
  package let width: Int
  package let height: Int
  /// The memory of the reader and of the frames read ahead.
  package let systemMemory: @Sendable () -> SystemMemory
  private let frames: ClipReadAhead

  /// Opens the clip at `path`, or standard input for `-`, and starts reading.
  ///
  /// - Parameter loops: whether the clip repeats, for which it must be a file.
  package init(path: String, loops: Bool, pixelFormat: OSType) throws(ScreenContentError) {
    let reader: Y4MReader
    do throws(Y4MReader.Error) {
      reader = try Y4MReader(path: path)
      if loops, !reader.isSeekable { throw Y4MReader.Error.notSeekable(path: path) }
    } catch {
      throw .clip(error)
    }
    width = reader.header.width
    height = reader.header.height
    framesPerSecond = reader.header.frameRate.map {
      min(max(1, Double($0.numerator) / Double($0.denominator)), 240)
    }
    let pool: PixelBufferPool
    do { pool = try PixelBufferPool(width: width, height: height, pixelFormat: pixelFormat) } catch {
      throw .noBuffer(error)
    }
    let readerBytes = UInt64(clamping: reader.bufferByteCount)
    systemMemory = {
      SystemMemory(pixelBuffers: UInt64(clamping: pool.pool.byteCount), other: readerBytes)
    }
    frames = ClipReadAhead(reader: reader, loops: loops, pool: pool)
    frames.start()
  }

  deinit { frames.stop() }

  package func draw(
    frame number: UInt64, into pixelBuffer: CVPixelBuffer
  ) throws(ScreenContentError) -> ScreenDrawing {
    switch frames.next() {
    case .frame(let frame):
      pixelBuffer.copyPlanes(of: frame)
      return .drawn
    case .notYet: return .unchanged
    case .end: return .ended
    case .failure(let error): throw error
    }
  }
}
