import Foundation
import Platform
import Synchronization

/// Measures what works for the handler: this process's threads, its encoders, and connections with bytes in flight.
final class HandlerWork: Sendable {
  struct Second: Sendable {
    /// The CPU time used since the previous call of ``next()``.
    var runTime: Duration
    /// Whether a thread is busy, or bytes are in flight, at the time of the call.
    var isBusy: Bool
  }

  private let proxy: SocketProxy
  private let main = MainThread()
  private let last = Mutex<ThreadActivity?>(nil)

  init(_ proxy: SocketProxy) { self.proxy = proxy }

  /// Returns the work since the previous call, on all threads except the calling one.
  func next() -> Second {
    last.withLock { newest in
      var (now, last) = (ThreadActivity?.none, newest)
      do throws(FileError) {
        now = try ThreadActivity.now(except: []).merging(.now(ofChildren: getpid(), named: "ffmpeg"))
      } catch {
        // Out of file descriptors: assume that there is work.
      }
      newest = now
      // A main thread that responds works for the emulator (it draws the screen), so its CPU time does not count. A blocked one
      // runs the handler.
      if main.openCall() == nil { (now, last) = (now?.excluding(getpid()), last?.excluding(getpid())) }
      guard let now, let last, !now.isEmpty else { return Second(runTime: .seconds(1), isBusy: true) }
      return Second(runTime: now.runTime(since: last), isBusy: now.isBusy || proxy.holdsBytes)
    }
  }
}
