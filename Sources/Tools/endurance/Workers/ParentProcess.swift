import CommandLineSupport
import Foundation

/// The process that started this worker: hears from it, and is what it works for.
struct ParentProcess: Sendable {
  private let pid = getppid()
  private let interruption = Interruption()
  private let signals: SignalSourcesBox
  private let output = StandardStream(descriptor: STDOUT_FILENO)

  /// Listens for the signals that end a worker in order.
  init() { signals = SignalSourcesBox(signals: interruption.listen()) }

  /// Whether to go on: nobody has asked for an end, and there is somebody to work for.
  var wantsMore: Bool { !interruption.isThere && getppid() == pid && !output.isClosed }

  /// Tells the parent.
  func tell(_ message: WorkerMessage) {
    do {
      var line = try JSONEncoder().encode(message)
      line.append(0x0A)
      output.write(line)
    } catch {
      fatalError("a message has no JSON form: \(error)")
    }
  }

  /// Keeps the signals' sources; nobody calls them from two threads.
  private final class SignalSourcesBox: @unchecked Sendable {
    // Why unchecked: only kept, never called.
    private let signals: SignalSources
    init(signals: SignalSources) { self.signals = signals }
  }
}
