import Dispatch
import Foundation

/// The signals a program listens to, for as long as this object lives.
///
///     let signals = SignalSources(queue: .main)
///     signals.handle(SIGINT) { host.finish() }
///
/// When the object goes, the signals stay without effect; they do not get their default action back.
public final class SignalSources {
  private let queue: DispatchQueue
  private let listening = DispatchQueue(label: "signals")
  private var sources: [any DispatchSourceSignal] = []

  /// Signals whose actions run on a queue.
  public init(queue: DispatchQueue) { self.queue = queue }

  deinit { sources.forEach { $0.cancel() } }

  /// Runs an action for every arrival of a signal, in place of what the signal does by default.
  ///
  /// A signal that comes after this call returned is not missed. Several that come close together may count as one.
  public func handle(_ number: Int32, _ action: @escaping @Sendable () -> Void) {
    #if canImport(Darwin)
      // Elsewhere the source installs a handler, once for all sources of a signal; ignoring would undo that.
      Self.ignore(number)
    #endif
    let source = DispatchSource.makeSignalSource(signal: number, queue: listening)
    let isRegistered = DispatchSemaphore(value: 0)
    source.setRegistrationHandler { isRegistered.signal() }
    source.setEventHandler { [queue] in queue.async(execute: action) }
    source.resume()
    isRegistered.wait()
    sources.append(source)
  }

  /// Makes a write to a pipe nobody reads fail with `EPIPE`, and not end the program.
  public static func ignoreBrokenPipes() { ignore(SIGPIPE) }

  private static func ignore(_ number: Int32) {
    _ = signal(number, SIG_IGN)
  }
}
