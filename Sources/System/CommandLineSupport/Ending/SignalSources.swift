import Dispatch
import Foundation
import Platform

/// The signals a program handles, for the lifetime of this object; then they stay ignored.
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

  /// Runs `action` for each signal that arrives after this call. Signals in quick succession may count as one.
  package func handle(_ number: Int32, _ action: @escaping @Sendable () -> Void) {
    let source = DispatchSource.makeSignalSource(signal: number, queue: listening)
    let isRegistered = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isRegistered.signal() }
    source.setEventHandler { [queue] in queue.async(execute: action) }
    source.resume()
    isRegistered.wait()
    sources.append(source)
  }

  /// The signals that ask a program to end. SIGHUP, which the end of a terminal sends, is not one of them if the program was
  /// started to ignore it.
  package static let requestsToEnd = [SIGINT, SIGTERM] + (System.isIgnored(signal: SIGHUP) ? [] : [SIGHUP])

  /// Makes a request to end end the process at once, without an action.
  static func endAtOnce() {
    for number in requestsToEnd { _ = signal(number, SIG_DFL) }
    ProcessResources.unblockSignals()
  }

  /// Makes SIGQUIT end the process. The handler of the Swift runtime prints a crash report and lets it continue.
  static func quit() { if !System.isIgnored(signal: SIGQUIT) { _ = signal(SIGQUIT, SIG_DFL) } }
}
