import CommandLineSupport
import Foundation
import WorkerSupport

/// The parent process, as a worker sees it.
struct ParentProcess: Sendable {
  private let pid = getppid()
  private let interruption = Interruption()
  private let signals: SignalSourcesBox
  private let output = StandardStream(descriptor: STDOUT_FILENO)

  /// Handles the signals that end a worker.
  init() { signals = SignalSourcesBox(signals: interruption.handleSignals()) }

  /// Whether to continue: no signal has arrived, and the parent process lives and reads.
  var wantsMore: Bool { !interruption.hasArrived && getppid() == pid && !output.isClosed }

  /// Sends a message.
  func report(_ message: WorkerMessage) {
    do {
      var line = try JSONEncoder().encode(message)
      line.append(0x0A)
      output.write(line)
    } catch {
      fatalError("a message has no JSON form: \(error)")
    }
  }

  private final class SignalSourcesBox: @unchecked Sendable {
    // Why unchecked: the object is only kept, never used.
    private let signals: SignalSources
    init(signals: SignalSources) { self.signals = signals }
  }
}
