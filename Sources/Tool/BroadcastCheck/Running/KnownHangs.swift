import Causes
import EmulatedSystem
import LaunchedPrograms
import Platform
import Synchronization

/// The calls of the handler that a launch of the check has found to be blocked.
///
/// A later launch gives them one second if nothing works for them, so that a handler that hangs costs the check its time once.
final class KnownHangs: Sendable {
  private let hangs = Mutex<[String: CallEvent]>([:])

  /// How a handler hangs, by an event after `time`; `nil` if it does not.
  func hang(of process: RecordedProcess, since time: MonotonicTime = .zero) -> CallEvent? {
    for event in process.events("call") where event.arrival >= time {
      guard let name = event.text("call") else { continue }
      let hang = hangs.withLock { hangs in
        if hangs[name] == nil, event.boolean("isBlocked") == true {
          // Another form is that of a program of another version.
          do { hangs[name] = try event.decoded(as: CallEvent.self) } catch {}
        }
        return event.boolean("isBlocked") == true || event.boolean("works") == false ? hangs[name] : nil
      }
      if let hang { return hang }
    }
    return nil
  }
}
