import CommandLineSupport
import Dispatch
import Foundation

extension EventSystem {
  /// Lets the events of a schedule happen, counted from now, and those of an app's signals: SIGUSR1 leaves the screen, SIGUSR2
  /// returns.
  package func lead(_ schedule: [ScheduledSystemEvent<Self>], _ signals: SignalSources) {
    for (signal, event) in [(SIGUSR1, "background"), (SIGUSR2, "foreground")] {
      signals.handle(signal) {
        MainActor.assumeIsolated { _ = self.perform(SystemEvent(stringLiteral: event)) }
      }
    }
    for next in schedule {
      DispatchQueue.main.asyncAfter(deadline: .now() + next.time / .seconds(1)) {
        MainActor.assumeIsolated { _ = self.perform(next.event) }
      }
    }
  }
}
