import Foundation
import Glibc
import Platform
import Synchronization

/// Measures how late the machine runs threads, beside programs that must be on time.
///
/// ```swift
/// let pace = MachinePace()
/// // Run the programs.
/// if let shortfall = pace.shortfall(allowing: .milliseconds(20)) { print(shortfall) }
/// ```
/// One thread may run on any processor, and takes as much time as a program. The others stay on a processor each and take
/// little: a virtual processor can stand still while the others run.
package final class MachinePace: Sendable {
  private let threads: [PacedThread]

  /// Starts the threads, which end with this object.
  ///
  /// A turn takes processor time, by default about that of a program for a small frame. The system prefers threads that
  /// rarely work. So programs that need whole processors are compared with turns that are longer and fewer.
  package init(work: Duration = .milliseconds(2), every period: Duration = .nanoseconds(16_666_667)) {
    let free = PacedThread(work: work, period: period, processor: nil)
    threads =
      [free]
      + System.allowedProcessors.prefix(16).map {
        PacedThread(work: .microseconds(100), period: .milliseconds(4), processor: $0)
      }
    for thread in threads { thread.start() }
  }

  deinit { for thread in threads { thread.end() } }

  /// The delays that the machine caused, as a sentence; `nil` if none was above `allowance`.
  package func shortfall(allowing allowance: Duration) -> String? {
    threads.lazy.compactMap { $0.shortfall(allowing: allowance) }.first
  }
}

/// A thread that works at a fixed rate, and measures how late each turn ends.
private final class PacedThread: Sendable {
  private let work: Duration
  private let period: Duration
  private let processor: Int?
  private let isOver = Atomic(false)
  private let delays = Mutex<[Duration]>([])

  init(work: Duration, period: Duration, processor: Int?) {
    (self.work, self.period, self.processor) = (work, period, processor)
  }

  func start() { Thread { self.run() }.start() }

  func end() { isOver.store(true, ordering: .relaxed) }

  func shortfall(allowing allowance: Duration) -> String? {
    let delays = delays.withLock { $0 }
    // A thread that stays on a processor may have lost it.
    if delays.isEmpty { return processor == nil ? "a thread had no turn" : nil }
    let late = delays.count { $0 > allowance }
    guard late > 0 else { return nil }
    return """
      of \(delays.count) turns of a thread\(processor.map { " on processor \($0)" } ?? ""), one every \(period), \
      \(late) were more than \(allowance) late, the worst \(delays.max() ?? .zero)
      """
  }

  private func run() {
    if let processor {
      // A processor that was taken away since then is not measured.
      do { try System.restrictThread(toProcessor: processor) } catch { return }
    }
    let clock = SystemClock()
    var due = clock.now + period
    while !isOver.load(ordering: .relaxed) {
      clock.wait(until: due)
      let end = Self.processorTime() + work
      while Self.processorTime() < end, !isOver.load(ordering: .relaxed) {}
      let done = clock.now
      delays.withLock { $0.append(done - due - work) }
      // Turns that were missed count once, by their delay.
      while due < done { due = due + period }
    }
  }

  /// The time for which this thread has run on a processor.
  private static func processorTime() -> Duration {
    var time = timespec()
    // UNSAFE: the call fills the struct; it cannot fail for this clock.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
