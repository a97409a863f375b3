import Dispatch
import Foundation
import Platform
import Synchronization

/// What works for a handler: the threads of this process but the emulator's own, its encoders, and a slow connection.
final class HandlerWork: Sendable {
  struct Second: Sendable {
    /// The time for which the threads have run.
    var runTime: Duration
    /// Whether one runs, or wants to run, or bytes are on their way, at the end.
    var isBusy: Bool
  }

  private let proxy: SocketProxy
  private let state = Mutex(State())

  init(_ proxy: SocketProxy) { self.proxy = proxy }

  private struct State {
    var last: ThreadActivity?
    /// Whether the main thread has come to what it was asked last.
    var mainAnswer = Answer()
  }

  private final class Answer: Sendable {
    let isThere = Atomic(true)
  }

  /// What has worked since the last question, on any thread but the calling one.
  func next() -> Second {
    state.withLock { state in
      var (now, last) = (ThreadActivity?.none, state.last)
      do throws(FileError) {
        now = try ThreadActivity.now(except: []).adding(.now(ofChildren: getpid(), named: "ffmpeg"))
      } catch {
        // A process without a free file descriptor cannot tell.
      }
      state.last = now
      // A main thread that answers works for the emulator, which draws the screen there. Else it works for the handler.
      if state.mainAnswer.isThere.load(ordering: .relaxed) {
        (now, last) = (now?.without(getpid()), last?.without(getpid()))
        state.mainAnswer = Answer()
        state.mainAnswer.isThere.store(false, ordering: .relaxed)
        DispatchQueue.main.async { [answer = state.mainAnswer] in
          answer.isThere.store(true, ordering: .relaxed)
        }
      }
      guard let now, let last, !now.isEmpty else { return Second(runTime: .seconds(1), isBusy: true) }
      return Second(runTime: now.runTime(since: last), isBusy: now.isBusy || proxy.holdsBytes)
    }
  }
}
