import CBenchmark
import Foundation
import Platform

/// One process of a pair: this program, launched by itself.
///
/// It prints `ready` when its end of the transport is ready, begins at the time that standard input names, prints its
/// result as one line of JSON, and exits when standard input ends.
enum Worker {
  /// The hidden subcommand: `benchmark worker JOB`.
  static let subcommand = "worker"

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
    try System.restrictThread(toProcessors: job.cores)
    // The app's classes use the timers of an app.
    if job.transport != .app || job.role == .sender {
      SystemClock.sleepPrecisely()
    }
    // Ends this process if the other end hangs.
    alarm(UInt32(job.limit.components.seconds))

    let end = try job.makeEnd()
    var times: [Duration] = []
    times.reserveCapacity(1 << 16)
    print(Data("ready".utf8))
    guard let line = readLine(), let moment = UInt64(line) else { throw Failure("the benchmark has exited") }
    let start = MonotonicTime(nanoseconds: moment)
    SystemClock().wait(until: start)
    let use = ProcessorUse.current()
    try end.run(job, from: start) { times.append($0) }
    let result = JobResult(
      frames: times.count, elapsed: SystemClock().now - start,
      processor: ProcessorUse.current().time - use.time, times: Distribution(times))
    try end.finish()
    print(try JSONEncoder().encode(result))
    // Both ends keep their mappings until both have finished.
    _ = readLine()
    withExtendedLifetime(end) {}
  }

  private static func print(_ line: Data) { FileHandle.standardOutput.write(line + Data("\n".utf8)) }
}
