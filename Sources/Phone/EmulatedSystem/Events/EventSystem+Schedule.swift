import CommandLineSupport
import Foundation
import Platform

extension EventSystem {
  /// Performs the events of a schedule, counted from now, and the events of an app's signals: SIGUSR1 sends the app to the
  /// background, SIGUSR2 to the foreground.
  package func lead(_ schedule: [ScheduledSystemEvent<Self>], _ signals: SignalSources) {
    for (signal, event) in [(SIGUSR1, "background"), (SIGUSR2, "foreground")] {
      signals.handle(signal) {
        MainActor.assumeIsolated { _ = self.perform(SystemEvent(stringLiteral: event)) }
      }
    }
    for next in schedule { MainQueue.run(after: next.time) { _ = self.perform(next.event) } }
  }
}
