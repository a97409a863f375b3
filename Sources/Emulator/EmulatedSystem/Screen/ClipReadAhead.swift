import CoreVideo
import Dispatch
import PictureFormats
import PixelAccess
import Synchronization

/// Reads a clip ahead of its being shown, on a queue of its own, so that waiting for a pipe holds nothing up.
final class ClipReadAhead: Sendable {
  enum Next {
    case picture(CVPixelBuffer)
    case notYet
    case end
    case failure(ScreenContentError)
  }

  /// The most frames that wait to be shown.
  private static let capacity = 3

  private let reader: Mutex<Y4MReader>
  private let loops: Bool
  private let pool: PixelBufferPool
  /// Counts the free places. Dispatch forbids letting go of a semaphore below the value it began with, so it
  /// begins with none, and the places are added.
  private let room = DispatchSemaphore(value: 0)
  private let state = Mutex(State())

  private struct State {
    var pictures: [CVPixelBuffer] = []
    /// How it ended, once there is nothing more to read.
    var outcome: Result<Void, ScreenContentError>?
    var isStopped = false
  }

  init(reader: sending Y4MReader, loops: Bool, pool: PixelBufferPool) {
    self.reader = Mutex(reader)
    self.loops = loops
    self.pool = pool
    for _ in 0..<Self.capacity { room.signal() }
  }

  func start() {
    DispatchQueue(label: "clip").async { self.readAll() }
  }

  func stop() {
    state.withLock { $0.isStopped = true }
    room.signal()
  }

  /// The next picture in the clip's order, if it is there.
  func next() -> Next {
    state.withLock { state in
      guard state.pictures.isEmpty else {
        room.signal()
        return .picture(state.pictures.removeFirst())
      }
      switch state.outcome {
      case nil: return .notYet
      case .success: return .end
      case .failure(let error): return .failure(error)
      }
    }
  }

  private func readAll() {
    let outcome: Result<Void, ScreenContentError>
    do throws(ScreenContentError) {
      while true {
        room.wait()
        if state.withLock({ $0.isStopped }) { break }
        guard let picture = try readPicture() else { break }
        state.withLock { $0.pictures.append(picture) }
      }
      outcome = .success(())
    } catch {
      outcome = .failure(error)
    }
    state.withLock { $0.outcome = outcome }
  }

  private func readPicture() throws(ScreenContentError) -> CVPixelBuffer? {
    let picture: CVPixelBuffer
    do { picture = try pool.makeBuffer() } catch { throw .noBuffer(error) }
    do {
      let isThere = try reader.withLock { reader throws(Y4MReader.Error) in
        if try reader.readFrame(into: picture) { return true }
        guard loops, reader.nextFrame > 0 else { return false }
        try reader.rewind()
        return try reader.readFrame(into: picture)
      }
      return isThere ? picture : nil
    } catch {
      throw .clip(error)
    }
  }
}
