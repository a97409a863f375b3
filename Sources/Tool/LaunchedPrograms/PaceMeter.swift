import CommandLineSupport
import Foundation
import Glibc
import Platform
import Synchronization

/// Measures how late the host runs threads, alongside programs that must be on time and do not report their delay.
///
/// ```swift
/// let pace = PaceMeter(allowing: .milliseconds(20))
/// // Run the programs.
/// if let shortfall = pace.shortfall { print(shortfall) }
/// ```
/// One thread can run on any CPU, and uses as much CPU time as a program. The others are pinned to one CPU each and use little:
/// they find a virtual CPU that freezes while the others run. Objects with the same turns share their threads.
package final class PaceMeter: Sendable {
  private let threads: [LoadProbe]

  /// Starts the threads. They end with the last object that uses them.
  ///
  /// A turn uses CPU time, by default about as much as a program uses for a small frame. The scheduler prefers threads that
  /// rarely run. Programs that need whole CPUs are therefore compared with longer and fewer turns.
  ///
  /// - Parameters:
  ///   - allowance: the delay that a turn may have.
  ///   - period: the time between the starts of two turns. By default 1/60 s, or 1/30 s if the allowance is above 20 ms, because
  ///     the turns take CPU time away from the programs.
  package init(
    allowing allowance: Duration, work: Duration = .milliseconds(2), every period: Duration? = nil
  ) {
    let period = period ?? .seconds(1) / (allowance > .milliseconds(20) ? 30 : 60)
    let free = LoadProbe.Turns(work: work, period: period, processor: nil)
    let fixed = System.allowedProcessors.prefix(16).map {
      LoadProbe.Turns(work: .microseconds(100), period: .milliseconds(4), processor: $0)
    }
    threads = ([free] + fixed).map(LoadProbe.running)
    for thread in threads { thread.count(for: ObjectIdentifier(self), allowing: allowance) }
  }

  deinit {
    for thread in threads { thread.forget(ObjectIdentifier(self)) }
  }

  /// The delays that host load caused, as a clause; `nil` if all are within the allowance.
  package var shortfall: String? {
    threads.lazy.compactMap { [self] in $0.shortfall(for: ObjectIdentifier(self)) }.first
  }

  /// How many threads were runnable at a time, as a clause; `nil` unless they exceed the CPUs by more than one. Above that,
  /// computations take longer than their CPU time, and so do the threads that wait for them.
  package var crowding: String? {
    let count = ProcessInfo.processInfo.processorCount
    guard let mean = threads.first?.threadsReady(for: ObjectIdentifier(self)), mean > Double(count + 1) else {
      return nil
    }
    return "\(mean.text(decimals: 1)) threads were runnable at a time, on \(count) CPUs"
  }
}

/// A thread that works at a fixed rate, and measures how late each turn ends. It ends with this object.
final class LoadProbe: Sendable {
  /// The CPU time of a turn, the time between the starts of two turns, and the CPU to which the thread is pinned (if any).
  struct Turns: Hashable {
    var work: Duration
    var period: Duration
    var processor: Int?
  }

  private let turns: Turns
  /// The turns that each meter has counted.
  private let tallies = Mutex<[ObjectIdentifier: Tally]>([:])

  private struct Running { weak var thread: LoadProbe? }
  private static let running = Mutex<[Turns: Running]>([:])

  /// Returns the running thread with these turns, and starts one if there is none.
  static func running(_ turns: Turns) -> LoadProbe {
    running.withLock { running in
      if let thread = running[turns]?.thread { return thread }
      let thread = LoadProbe(turns)
      running[turns] = Running(thread: thread)
      return thread
    }
  }

  private init(_ turns: Turns) {
    self.turns = turns
    Thread { [weak self] in Self.run(turns) { self } }.start()
  }

  /// Counts the turns that are due from now on, until ``forget(_:)``.
  func count(for meter: ObjectIdentifier, allowing allowance: Duration) {
    tallies.withLock { $0[meter] = Tally(start: SystemClock().now, allowance: allowance) }
  }

  func forget(_ meter: ObjectIdentifier) { tallies.withLock { $0[meter] = nil } }

  /// Returns the delays above the allowance, as a clause; `nil` if there are none.
  func shortfall(for meter: ObjectIdentifier) -> String? {
    guard let tally = tallies.withLock({ $0[meter] }) else { return nil }
    // The CPU of a pinned thread may have been taken away.
    if tally.count == 0 { return turns.processor == nil ? "a thread did not run" : nil }
    guard tally.late > 0 else { return nil }
    func ms(_ time: Duration) -> String { "\((time / .milliseconds(1)).text(decimals: 1)) ms" }
    return """
      of \(tally.count) turns of a thread\(turns.processor.map { " on CPU \($0)" } ?? ""), one every \
      \(ms(turns.period)), \(tally.late) were more than \(ms(tally.allowance)) late, the worst \(ms(tally.worst))
      """
  }

  /// Returns the mean number of other threads that were runnable at its turns.
  func threadsReady(for meter: ObjectIdentifier) -> Double? {
    tallies.withLock { $0[meter] }.flatMap { $0.count > 0 ? $0.threadsReady / Double($0.count) : nil }
  }

  /// The counts of a thread's turns since a start. Its size is constant, because a thread has 250 turns a second.
  struct Tally {
    let start: MonotonicTime
    let allowance: Duration
    private(set) var count = 0
    private(set) var late = 0
    private(set) var worst = Duration.zero
    /// The sum of the runnable threads at all turns.
    private(set) var threadsReady = 0.0

    init(start: MonotonicTime, allowance: Duration) {
      self.start = start
      self.allowance = allowance
    }

    mutating func add(_ delay: Duration, due: MonotonicTime, threadsReady: Double) {
      guard due >= start else { return }
      self.threadsReady += threadsReady
      count += 1
      if delay > allowance { late += 1 }
      worst = max(worst, delay)
    }
  }

  private func add(_ delay: Duration, due: MonotonicTime) {
    let ready = turns.processor == nil ? Self.threadsReady() : 0
    tallies.withLock { tallies in
      for meter in tallies.keys { tallies[meter]?.add(delay, due: due, threadsReady: ready) }
    }
  }

  /// Returns the number of runnable threads on the host, without the calling one; 0 if the system does not report it.
  private static func threadsReady() -> Double {
    do throws(FileError) {
      let text = try ProcessFiles.text("/proc/loadavg").split(separator: " ").dropFirst(3).first
      return text.flatMap { Double($0.prefix { $0 != "/" }) }.map { max(0, $0 - 1) } ?? 0
    } catch { return 0 }
  }

  /// The main function of the thread. It returns after its object is released.
  private static func run(_ turns: Turns, _ thread: () -> LoadProbe?) {
    if let processor = turns.processor {
      // A CPU that was taken away in the meantime is not measured.
      do { try System.restrictThread(toProcessors: [processor]) } catch { return }
    }
    let clock = SystemClock()
    var due = clock.now + turns.period
    while thread() != nil {
      clock.wait(until: due)
      let end = processorTime() + turns.work
      while processorTime() < end, thread() != nil {}
      let done = clock.now
      thread()?.add(done - due - turns.work, due: due)
      // Missed turns count once, by their delay.
      while due < done { due = due + turns.period }
    }
  }

  /// Returns the CPU time of this thread.
  private static func processorTime() -> Duration {
    var time = timespec()
    // UNSAFE: the call fills the struct; it cannot fail for this clock.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}
