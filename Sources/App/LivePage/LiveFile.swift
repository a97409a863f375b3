import ContainingApp
import Dispatch
import HTTPServer
import PictureFormats
import Synchronization
import WebRTC

/// A file of the newest state, for any number of clients: one is made at a time, off the server's thread, and none without a
/// client.
final class LiveFile: Sendable {
  private struct Request {
    /// `nil` when the client has left.
    weak var answer: LiveAnswer?
    let version: UInt64
  }

  private struct State {
    var isBeingMade = false
    var requests: [Request] = []
  }

  /// The version of the newest state; `nil` before the first.
  private let version: @Sendable () -> UInt64?
  private let wake: LiveWake
  private let make: @Sendable () -> [UInt8]
  private let queue: DispatchQueue
  private let state = Mutex(State())

  init(
    wake: LiveWake, queue: DispatchQueue = .global(), version: @escaping @Sendable () -> UInt64?,
    make: @escaping @Sendable () -> [UInt8]
  ) { (self.wake, self.queue, self.version, self.make) = (wake, queue, version, make) }

  /// The newest of `frames` upright, as a PNG file.
  static func snapshot(
    of frames: LiveFrames, wake: LiveWake, encode: @escaping @Sendable (LiveFrame) -> [UInt8] = png
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

  /// The page of `report`, each of whose messages is one of `events`. The main thread only copies what it is made from.
  static func page(of report: WatchReport, after events: LiveEvents, wake: LiveWake) -> LiveFile {
    LiveFile(
      wake: wake, version: { events.newestID },
      make: { Array(DispatchQueue.main.sync { MainActor.assumeIsolated { report.contents } }.page.utf8) })
  }

  /// The file for one client, of a state that is not older than the request; `nil` before the first state.
  func answer() -> LiveAnswer? {
    guard let version = version() else { return nil }
    let answer = LiveAnswer()
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
    // A client comes after the first version.
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
