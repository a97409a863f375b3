import CoreVideo
import PictureFormats
import PixelAccess

/// A screen that shows a Y4M clip, or a live stream that a program writes into a pipe.
///
/// The clip is read ahead on a queue of its own, a few frames at the most: a pipe that is slow leaves the
/// screen unchanged for a while and holds nothing up, and one that is fast is read no faster than shown.
public final class ClipContent: ScreenContent {
  /// The clip's own frame rate, in frames per second; `nil` when it does not state one. A clip may state
  /// anything, such as the ticks of its clock: what it states is brought into 1…240.
  public let framesPerSecond: Double?
  /// The width of the clip, in pixels.
  public let width: Int
  /// The height of the clip, in pixels.
  public let height: Int
  /// Tells the memory of the reader and of the pictures it has read ahead, which are none of the extension's.
  public let systemMemory: @Sendable () -> SystemMemory
  private let frames: ClipReadAhead

  /// Opens the clip at `path`, or standard input for `-`, and starts reading.
  ///
  /// - Parameter loops: whether the clip begins again at its end; it must be a file then.
  public init(path: String, loops: Bool, pixelFormat: OSType) throws(ScreenContentError) {
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

  /// Shows the clip's next frame, when it has been read.
  public func draw(
    frame number: UInt64, into pixelBuffer: CVPixelBuffer
  ) throws(ScreenContentError) -> ScreenDrawing {
    switch frames.next() {
    case .picture(let picture):
      pixelBuffer.copyPlanes(of: picture)
      return .drawn
    case .notYet: return .unchanged
    case .end: return .ended
    case .failure(let error): throw error
    }
  }
}
