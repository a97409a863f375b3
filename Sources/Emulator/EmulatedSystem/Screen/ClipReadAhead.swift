import CoreVideo
import Dispatch
import PictureFormats
import PixelAccess
import Synchronization

/// Reads the frames of a clip ahead on a queue of its own, so that the screen never waits for a pipe.
final class ClipReadAhead: Sendable {
  enum Next {
    case frame(CVPixelBuffer)
    case notYet
    case end
    case failure(ScreenContentError)
  }

  /// The most frames that wait to be shown.
  private static let capacity = 3

  private let reader: Mutex<Y4MReader>
  private let loops: Bool
  private let pool: PixelBufferPool
  /// Counts the free places. Dispatch traps when a semaphore is released below its initial value, so the initial value
  /// is 0 and the places are added.
  private let freePlaces = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  private struct State {
    var frames: [CVPixelBuffer] = []
    /// The end of the clip, once everything is read.
    var outcome: Result<Void, ScreenContentError>?
    var isStopped = false
  }

  init(reader: sending Y4MReader, loops: Bool, pool: PixelBufferPool) {
    self.reader = Mutex(reader)
    self.loops = loops
    self.pool = pool
    for _ in 0..<Self.capacity { freePlaces.signal() }
  }

  func start() {
    DispatchQueue(label: "clip").async { self.readAll() }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    freePlaces.signal()
  }

  /// Returns the next frame of the clip, if it has been read.
  func next() -> Next {
    state.withLock { state in
      guard state.frames.isEmpty else {
        freePlaces.signal()
        return .frame(state.frames.removeFirst())
      }
      switch state.outcome {
      case nil: return .notYet
      case .success: return .end
      case .failure(let error): return .failure(error)
      }
    }
  }

  private func readAll() {
    let outcome = Result<Void, ScreenContentError> { () throws(ScreenContentError) in
      while true {
        freePlaces.wait()
        if state.withLock({ $0.isStopped }) { return }
        guard let frame = try readFrame() else { return }
        state.withLock { $0.frames.append(frame) }
      }
    }
    state.withLock { $0.outcome = outcome }
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
