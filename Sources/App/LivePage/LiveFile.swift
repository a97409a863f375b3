import ContainingApp
import Dispatch
import HTTPServer
import PictureFormats
import Synchronization
import WebRTC

/// Creates a file from the newest state for any number of clients. Files are created one at a time, off the server's
/// thread, and only if a client waits.
final class LiveFile: Sendable {
  private struct Request {
    /// `nil` after the client has left.
    weak var answer: DeferredAnswer?
    let version: UInt64
  }

  private struct State {
    var isBeingMade = false
    var requests: [Request] = []
  }

  /// Returns the version of the newest state; `nil` before the first state.
  private let version: @Sendable () -> UInt64?
  private let wake: StreamWaker
  private let make: @Sendable () -> [UInt8]
  private let queue: DispatchQueue
  private let state = Mutex(State())

  init(
    wake: StreamWaker, queue: DispatchQueue = .global(), version: @escaping @Sendable () -> UInt64?,
    make: @escaping @Sendable () -> [UInt8]
  ) {
    self.wake = wake
    self.queue = queue
    self.version = version
    self.make = make
  }

  /// Creates the file of the newest frame, as an upright PNG.
  static func snapshot(
    of frames: LiveFrames, wake: StreamWaker, encode: @escaping @Sendable (LiveFrame) -> [UInt8] = png
  ) -> LiveFile {
    LiveFile(
      wake: wake, version: { frames.newest?.count }, make: { frames.newest.map { encode($0.frame) } ?? [] })
  }

  private static func png(of frame: LiveFrame) -> [UInt8] {
    do throws(PNGEncoder.Error) {
      return Array(try PNGEncoder.encode(frame.buffer.pixelBuffer, rotation: frame.rotation))
    } catch {
      return []
    }
  }

  /// Creates the file of `report`'s page. Each message of the report is one of `events`. The main thread only copies the
  /// page's contents.
  static func page(of report: WatchReport, after events: LiveEvents, wake: StreamWaker) -> LiveFile {
    LiveFile(
      wake: wake, version: { events.newestID },
      make: { Array(DispatchQueue.main.sync { MainActor.assumeIsolated { report.contents } }.page.utf8) })
  }

  /// Returns the file for one client, from a state that is not older than the request; `nil` before the first state.
  func answer() -> DeferredAnswer? {
    guard let version = version() else { return nil }
    let answer = DeferredAnswer()
    state.withLock { state in
      state.requests.append(Request(answer: answer, version: version))
      begin(&state)
    }
    return answer
  }

  private func begin(_ state: inout State) {
    guard !state.isBeingMade, !state.requests.isEmpty else { return }
    state.isBeingMade = true
    queue.async { self.makeNewest() }
  }

  private func makeNewest() {
    let isWanted = state.withLock { state in
      state.requests.removeAll { $0.answer == nil }
      state.isBeingMade = !state.requests.isEmpty
      return state.isBeingMade
    }
    // A request exists only after the first version.
    guard isWanted, let version = version() else { return }
    let bytes = make()
    state.withLock { state in
      for request in state.requests where request.version <= version { request.answer?.set(bytes) }
      state.requests.removeAll { $0.version <= version }
      state.isBeingMade = false
      begin(&state)
    }
    wake.call()
  }
}
