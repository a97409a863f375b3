import CommandLineSupport
import Dispatch
import Foundation
import Synchronization

/// Whether somebody wants the process to end.
final class Interruption: Sendable {
  private let hasCome = Atomic(false)

  /// Whether SIGINT or SIGTERM has come.
  var isThere: Bool { hasCome.load(ordering: .relaxed) }

  /// Listens for the signals from now on; keep what is returned for as long as that is wanted.
  func listen() -> SignalSources {
    let signals = SignalSources(queue: DispatchQueue(label: "interruption"))
    for number in [SIGINT, SIGTERM] {
      signals.handle(number) { self.hasCome.store(true, ordering: .relaxed) }
    }
    return signals
  }
}
