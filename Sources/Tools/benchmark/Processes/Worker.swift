import CBenchmark
import Foundation
import Platform
import SharedMemory

/// One process of a pair: this program, launched by itself.
///
/// It prints `ready` when its end of the transport is ready, begins at the time that standard input names, prints its
/// result as one line of JSON, and exits when standard input ends.
enum Worker {
  /// The hidden subcommand: `benchmark worker JOB`.
  static let subcommand = "worker"

  /// Does the job, and exits.
  static func main(_ argument: String) -> Never {
    do {
      try run(JSONDecoder().decode(Job.self, from: Data(argument.utf8)))
      exit(0)
    } catch {
      FileHandle.standardError.write(Data("benchmark worker: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ job: Job) throws {
    _ = benchmark_die_with_parent()
    guard benchmark_pin(Int32(job.core)) else { throw Failure("core \(job.core) cannot be used") }
    // The app's classes use the timers of an app.
    if job.transport != .app || job.role == .sender { _ = benchmark_exact_timers() }
    // Ends this process if the other end hangs.
    alarm(UInt32(job.duration / 1_000_000_000) + 30)
    switch job.role {
    case .sender: try send(job)
    case .receiver: try receive(job)
    }
  }

  /// Prints that this end is ready; returns the time at which to begin.
  private static func awaitStart() throws -> UInt64 {
    FileHandle.standardOutput.write(Data("ready\n".utf8))
    guard let line = readLine(), let start = UInt64(line) else { throw Failure("the benchmark has exited") }
    return start
  }

  private static func send(_ job: Job) throws {
    let picture = job.pixels == .none ? nil : try Picture(job.size, keepsBytes: job.pixels == .bytes)
    let sender = try job.makeSender(picture)
    let start = try awaitStart()
    let end = start + job.duration
    var result = JobResult()
    wait(until: start, spins: false)
    let processor = processorTime()
    if job.interval == 0 {
      var times: [UInt64] = []
      times.reserveCapacity(1 << 16)
      var before = SystemClock().now.nanoseconds
      while before < end {
        try sender.send()
        let after = SystemClock().now.nanoseconds
        times.append(after - before)
        before = after
      }
      result.frames = times.count
      result.times = Distribution(times)
    } else {
      var times: [UInt64] = []
      times.reserveCapacity(Int(job.duration / job.interval) + 1)
      for due in stride(from: start + job.interval, through: end, by: Int(job.interval)) {
        wait(until: due, spins: job.polling == .between)
        let before = SystemClock().now.nanoseconds
        try sender.send()
        times.append(SystemClock().now.nanoseconds - before)
      }
      result.frames = times.count
      result.times = Distribution(times)
    }
    result.elapsed = SystemClock().now.nanoseconds - start
    result.processor = processorTime() - processor
    result.memory = try ProcessMemory.of()
    try sender.finish()
    try send(result)
    awaitEnd()
    withExtendedLifetime(sender) {}
  }

  private static func receive(_ job: Job) throws {
    let receiver = try job.makeReceiver()
    var times: [UInt64] = []
    times.reserveCapacity(1 << 16)
    let start = try awaitStart()
    let end = start + job.duration
    wait(until: start, spins: false)
    let processor = processorTime()
    switch receiver {
    case .waiting(let receiver): try receiver.receive { times.append($0) }
    case .polled(let receiver): try poll(receiver, job, start: start, end: end) { times.append($0) }
    }
    var result = JobResult()
    result.frames = times.count
    result.elapsed = SystemClock().now.nanoseconds - start
    result.processor = processorTime() - processor
    result.times = Distribution(times)
    result.memory = try ProcessMemory.of()
    try send(result)
    awaitEnd()
    withExtendedLifetime(receiver) {}
  }

  /// Waits for the other end, because both must keep their mappings until both have measured their memory.
  private static func awaitEnd() { _ = readLine() }

  private static func send(_ result: JobResult) throws {
    FileHandle.standardOutput.write(try JSONEncoder().encode(result) + Data("\n".utf8))
  }

  private static func poll(
    _ receiver: any PolledReceiver, _ job: Job, start: UInt64, end: UInt64, _ onTime: (UInt64) -> Void
  ) throws {
    switch job.polling {
    case .spinning, .waiting, .app:
      while true {
        switch try receiver.look() {
        case .frame(let age): onTime(age)
        case .nothing: break
        case .over: return
        }
      }
    case .early(let lead):
      var due = start
      while true {
        wait(until: due, spins: false)
        while true {
          let look = try receiver.look()
          if case .nothing = look { continue }
          guard case .frame(let age) = look else { return }
          onTime(age)
          due = SystemClock().now.nanoseconds - age + job.interval - lead
          break
        }
      }
    case .every(let period):
      // Two clocks of 30 and 60 Hz keep their phase. This one shifts by one frame during the run, so that the ages
      // cover every phase.
      let polls = max(1, job.duration / period)
      let step = Int(period + job.interval / polls)
      for due in stride(from: start, to: end, by: step) {
        wait(until: due, spins: false)
        if case .frame(let age) = try receiver.look() { onTime(age) }
      }
    case .between:
      let clock = clockTime()
      for due in stride(from: start + job.interval + job.interval / 2, to: end, by: Int(job.interval)) {
        wait(until: due, spins: true)
        let before = SystemClock().now.nanoseconds
        let look = try receiver.look()
        let after = SystemClock().now.nanoseconds
        // The clock is read around the poll, and once within it.
        if case .frame = look { onTime(max(1, after - before - min(2 * clock, after - before))) }
      }
    }
  }

  private static func wait(until moment: UInt64, spins: Bool) {
    if spins {
      while SystemClock().now.nanoseconds < moment {}
    } else {
      benchmark_sleep_until(moment)
    }
  }

  /// The time of one reading of the clock, in nanoseconds.
  private static func clockTime() -> UInt64 {
    let start = SystemClock().now.nanoseconds
    for _ in 0..<1000 { Keep.value(SystemClock().now.nanoseconds) }
    return (SystemClock().now.nanoseconds - start) / 1000
  }

  /// The processor time of this process, in nanoseconds.
  private static func processorTime() -> UInt64 {
    var usage = rusage()
    // UNSAFE: the call fills the struct.
    _ = unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
    return [usage.ru_utime, usage.ru_stime].reduce(0) {
      $0 + UInt64($1.tv_sec) * 1_000_000_000 + UInt64($1.tv_usec) * 1000
    }
  }
}
