import Causes
import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform
import Synchronization

/// Ends the process of an extension whose handler calls `exit` or does not return. It works on any thread, because the main thread
/// may hang.
final class AbnormalEnd: Sendable {
  private struct State {
    var isEnding = false
    var firstSignal: MonotonicTime?
    /// Whether the main thread has handled the first signal.
    var isHandled = false
    /// The newest report of a call that has not returned.
    var call: CallEvent?
  }

  private static let armed = Mutex<AbnormalEnd?>(nil)

  private let program: Program<ProducerOptions>
  private let limit: Duration
  private let system: BroadcastSystem
  private let reporter: ProducerReporter
  private let dialog: String
  private let writeReport: @Sendable (BroadcastEnd, ProgramFailure) -> ProgramFailure
  private let clock: any MonotonicClock
  private let state = Mutex(State())

  /// - Parameters:
  ///   - limit: how long a call may be open when the broadcast is to end.
  ///   - dialog: the text of the dialog after a crash.
  ///   - writeReport: writes the report of such an end, and returns the failure with which the program ends.
  init(
    _ program: Program<ProducerOptions>, limit: Duration, system: BroadcastSystem, reporter: ProducerReporter,
    dialog: String, clock: any MonotonicClock,
    writeReport: @escaping @Sendable (BroadcastEnd, ProgramFailure) -> ProgramFailure
  ) {
    self.program = program
    self.limit = limit
    self.system = system
    self.reporter = reporter
    self.dialog = dialog
    self.clock = clock
    self.writeReport = writeReport
    Self.armed.withLock { $0 = self }
    atexit { AbnormalEnd.armed.withLock(\.self)?.handlerExited() }
  }

  /// Allows the process to exit, because the emulated system is ending it.
  static func disarm() { armed.withLock { $0 = nil } }

  private func handlerExited() {
    var end = BroadcastEnd(
      abnormal: "exited",
      "The handler called exit: the extension ends without a callback, and its flag stays on. End a broadcast with "
        + "finishBroadcastWithError.")
    end.dialog = dialog
    report(end, ProgramFailure(.producerCrashed, "The handler called exit."))
    // `_exit` does not write what is buffered.
    _ = fflush(nil)
    StandardStream.output.flush(within: .seconds(2))
    StandardStream.error.flush(within: .seconds(2))
    _exit(ExitCode.producerCrashed.rawValue)
  }

  @discardableResult private func report(_ end: BroadcastEnd, _ failure: ProgramFailure) -> ProgramFailure {
    var end = end
    end.framesProduced = system.framesDelivered
    reporter.report(end)
    return writeReport(end, failure)
  }

  /// Records that a call has not returned, and ends the process if the broadcast was to end and the limit has passed.
  func note(_ call: CallEvent) {
    state.withLock { $0.call = call }
    if system.isEndDue, .seconds(call.openSeconds) >= limit { endHung() }
  }

  /// Whether a signal has come.
  var hasSignal: Bool { state.withLock { $0.firstSignal != nil } }

  /// How long the main thread may take to handle a signal. On an overloaded host it may not run for seconds.
  private static let mainThreadLimit = Duration.seconds(5)

  /// Records a signal that is to end the broadcast, and ends the process if the handler or the main thread has hung since an
  /// earlier one. Two signals in short succession are one request.
  func noteSignal() {
    let now = clock.now
    system.endDue.withLock { $0 = min($0 ?? now, now) }
    let (first, isHandled) = state.withLock { state in
      let first = state.firstSignal ?? now
      state.firstSignal = first
      return (first, state.isHandled)
    }
    guard now - first >= .seconds(1) else { return }
    if system.openCall != nil { return endHung() }
    guard !isHandled else { return }
    let rest = Self.mainThreadLimit - (now - first)
    DispatchQueue.global().asyncAfter(deadline: .now() + max(rest, .zero) / .seconds(1)) { [self] in
      if !state.withLock(\.isHandled) { endHung() }
    }
  }

  /// Records that the main thread has handled the first signal.
  func noteHandled() { state.withLock { $0.isHandled = true } }

  private func endHung() {
    let (isFirst, call) = state.withLock { state in
      defer { state.isEnding = true }
      return (!state.isEnding, state.call)
    }
    guard isFirst else { return }
    // The report of the open call has already said where it waits.
    let name = system.openCall ?? call?.call ?? "the handler"
    let failure = report(
      BroadcastEnd(
        abnormal: "hung", "\(name) does not return: the broadcast ended without the rest of the calls."),
      ProgramFailure(.endedByHandler, "Give each wait in \(name) a limit."))
    Self.disarm()
    program.exit(failure)
  }
}
