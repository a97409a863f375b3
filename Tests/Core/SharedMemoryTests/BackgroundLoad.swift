import TestSupport

/// Runs a writer at full speed on a separate thread until ``stop()``.
final class BackgroundLoad: Sendable {
  private let mustStop = Atomic(false)
  private let hasStopped = DispatchSemaphore(value: 0)

  /// Calls `write` repeatedly with the writer that `open` returns, and finally `finish`.
  init<Writer>(
    _ open: @escaping @Sendable () throws -> Writer, write: @escaping @Sendable (Writer) throws -> Void,
    finish: @escaping @Sendable (Writer) throws -> Void
  ) {
    Thread.detachNewThread { [self] in
      defer { hasStopped.signal() }
      do {
        let writer = try open()
        while !mustStop.load(ordering: .relaxed) { try write(writer) }
        try finish(writer)
      } catch {
        fatalError("the writer failed: \(error)")
      }
    }
  }

  func stop() {
    mustStop.store(true, ordering: .relaxed)
    hasStopped.wait()
  }
}
