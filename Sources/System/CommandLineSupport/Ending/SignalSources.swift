import Dispatch
import Foundation
import Platform

/// Handles signals while this object exists. Afterwards the signals are ignored.
///
///     let signals = SignalSources(queue: .main)
///     signals.handle(SIGINT) { host.finish() }
package final class SignalSources {
  private let queue: DispatchQueue
  private let listening = DispatchQueue(label: "signals")
  private var sources: [any DispatchSourceSignal] = []

  /// - Parameter queue: the queue on which the actions run.
  package init(queue: DispatchQueue) { self.queue = queue }

  deinit { sources.forEach { $0.cancel() } }

  /// Runs `action` for each signal that arrives after this call. Signals in quick succession may be coalesced.
  package func handle(_ number: Int32, _ action: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeSignalSource(signal: number, queue: listening)
    let isRegistered = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isRegistered.signal() }
    source.setEventHandler { [queue] in queue.async(execute: action) }
    source.resume()
    isRegistered.wait()
    sources.append(source)
  }

  /// The signals that request a program to end. They include SIGHUP (sent by a closing terminal), unless the program was started
  /// with SIGHUP ignored.
  package static let requestsToEnd = [SIGINT, SIGTERM] + (System.isIgnored(signal: SIGHUP) ? [] : [SIGHUP])

  /// Makes ``requestsToEnd`` end the process immediately, without an action.
  static func endAtOnce() {
    for number in requestsToEnd { _ = signal(number, SIG_DFL) }
    ProcessResources.unblockSignals()
  }

  /// Makes SIGQUIT end the process. Otherwise the handler of the Swift runtime prints a crash report and lets the process
  /// continue.
  static func quit() { if !System.isIgnored(signal: SIGQUIT) { _ = signal(SIGQUIT, SIG_DFL) } }
}
