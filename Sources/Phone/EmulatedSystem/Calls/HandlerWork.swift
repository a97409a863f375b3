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
  private let main = MainThread()
  private let last = Mutex<ThreadActivity?>(nil)

  init(_ proxy: SocketProxy) { self.proxy = proxy }

  /// What has worked since the last question, on any thread but the calling one.
  func next() -> Second {
    last.withLock { newest in
      var (now, last) = (ThreadActivity?.none, newest)
      do throws(FileError) {
        now = try ThreadActivity.now(except: []).adding(.now(ofChildren: getpid(), named: "ffmpeg"))
      } catch {
        // A process without a free file descriptor cannot tell.
      }
      newest = now
      // A main thread that answers works for the emulator, which draws the screen there. Else it works for the handler.
      if main.openCall() == nil { (now, last) = (now?.without(getpid()), last?.without(getpid())) }
      guard let now, let last, !now.isEmpty else { return Second(runTime: .seconds(1), isBusy: true) }
      return Second(runTime: now.runTime(since: last), isBusy: now.isBusy || proxy.holdsBytes)
    }
  }
}
