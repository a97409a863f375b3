import CommandLineSupport
import Foundation
import WorkerSupport

/// The parent process, as a worker sees it.
struct ParentProcess: Sendable {
  /// Whether a signal asks the worker to end.
  let interruption: Interruption
  private let pid = getppid()
  private let output = StandardStream(descriptor: STDOUT_FILENO)

  init(interruption: Interruption) { self.interruption = interruption }

  /// Whether to continue: no signal has arrived, and the parent process lives and reads.
  var wantsMore: Bool { !interruption.hasArrived && getppid() == pid && output.failure == nil }

  /// Sends a message, as one line of JSON.
  func report(_ message: WorkerMessage) {
    do {
      output.write(try JSONEncoder().encode(message) + [0x0A])
    } catch {
      fatalError("a message has no JSON form: \(error)")
    }
  }
}
