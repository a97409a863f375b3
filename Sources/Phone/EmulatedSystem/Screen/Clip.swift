import CommandLineSupport
import CoreVideo
import Dispatch
import PictureFormats
import PixelAccess
import Platform
import Synchronization

/// A Y4M clip, or a live stream that a program writes into a pipe.
///
/// A private queue reads up to three frames ahead, so that the screen never waits for a pipe. A slow pipe leaves the screen
/// unchanged, and a fast pipe is read no faster than its frames are shown.
final class Clip: Sendable {
  let size: PixelSize
  /// The clip's own frame rate in frames per second; `nil` if the clip does not state it.
  let framesPerSecond: Double?
  /// The colour matrix; `nil` if the clip does not state it.
  let matrix: ColourMatrix?
  private let loops: Bool
  private let reader: Mutex<Y4MReader>
  private let readerByteCount: UInt64
  private let pool: PixelBufferPool
  private let queue = DispatchQueue(label: "clip")
  private let state = Mutex(State())

  private struct State {
    /// The frames that were read but not drawn.
    var frames: [CVPixelBuffer] = []
    /// The result of drawing when no frame waits.
    var outcome = Result<ScreenDrawing, ScreenContentError>.success(.unchanged)
  }

  /// Opens the clip at `path` (`-`: stdin) and starts reading. Only a file can loop.
  init(path: String, loops: Bool, pixelFormat: OSType) throws(ScreenContentError) {
    let reader: Y4MReader
    do throws(Y4MReader.Error) {
      reader = try Y4MReader(path: path)
      if loops, !reader.isSeekable { throw Y4MReader.Error.notSeekable(path: path) }
    } catch {
      throw .clip(error)
    }
    let header = reader.header
    size = PixelSize(width: header.width, height: header.height)
    matrix = header.matrix
    framesPerSecond = header.frameRate.map { Double($0.numerator) / Double($0.denominator) }
    readerByteCount = UInt64(clamping: reader.bufferByteCount)
    do {
      pool = try PixelBufferPool(width: header.width, height: header.height, pixelFormat: pixelFormat)
    } catch {
      throw .noBuffer(error)
    }
    self.loops = loops
    self.reader = Mutex(reader)
    for _ in 0..<3 { readAhead() }
  }

  /// The memory of the reader and of its frames.
  var systemMemory: SystemMemory {
    SystemMemory(pixelBuffers: UInt64(clamping: pool.pool.byteCount), other: readerByteCount)
  }

  /// Draws the next frame, if it has been read.
  func draw(into pixels: CVPixelBuffer) throws(ScreenContentError) -> ScreenDrawing {
    let (frame, outcome) = state.withLock { state in
      (state.frames.isEmpty ? nil : state.frames.removeFirst(), state.outcome)
    }
    guard let frame else { return try outcome.get() }
    pixels.copyPlanes(of: frame)
    readAhead()
    return .drawn
  }

  /// Reads one more frame on the queue, unless the clip has ended by then.
  private func readAhead() {
    queue.async { [weak self] in
      guard let self, state.withLock({ $0.outcome == .success(.unchanged) }) else { return }
      do throws(ScreenContentError) {
        let frame = try readFrame()
        state.withLock { state in
          if let frame { state.frames.append(frame) } else { state.outcome = .success(.ended) }
        }
      } catch {
        state.withLock { $0.outcome = .failure(error) }
      }
    }
  }

  private func readFrame() throws(ScreenContentError) -> CVPixelBuffer? {
    let frame: CVPixelBuffer
    do { frame = try pool.makeBuffer() } catch { throw .noBuffer(error) }
    do {
      let isRead = try reader.withLock { reader throws(Y4MReader.Error) in
        if try reader.readFrame(into: frame) { return true }
        guard loops, reader.nextFrame > 0 else { return false }
        try reader.rewind()
        return try reader.readFrame(into: frame)
      }
      return isRead ? frame : nil
    } catch {
      throw .clip(error)
    }
  }
}
