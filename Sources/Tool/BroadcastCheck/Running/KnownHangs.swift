import Causes
import EmulatedSystem
import LaunchedPrograms
import Platform
import Synchronization

/// The handler calls that earlier launches of the check have found to be blocked.
///
/// Later launches allow such a call one second if it waits or computes as the known one, so the check waits out a hang only once.
final class KnownHangs: Sendable {
  private let hangs = Mutex<[String: CallEvent]>([:])

  /// Returns the event of a known hang after `time`; `nil` if the handler does not hang.
  func hang(of process: RecordedProcess, since time: MonotonicTime = .zero) -> CallEvent? {
    for event in process.events("call") where event.arrival >= time {
      guard let name = event.text("call") else { continue }
      let hang = hangs.withLock { hangs in
        if hangs[name] == nil, event.boolean("isBlocked") == true {
          // An event of another form comes from a program of another version.
          do { hangs[name] = try event.decoded(as: CallEvent.self) } catch {}
        }
        // A call of the main thread that computes is known by its work.
        let isKnown = event.boolean("works") == hangs[name]?.works
        return event.boolean("isBlocked") == true || isKnown ? hangs[name] : nil
      }
      if let hang { return hang }
    }
    return nil
  }
}
