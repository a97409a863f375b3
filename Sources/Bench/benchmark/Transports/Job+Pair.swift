import Foundation
import LaunchedPrograms
import Platform
import ToolSupport

extension Job {
  /// Runs both ends of the transport for a time, each in a process on its own core. Returns the result of the receiver.
  func runPair(on cores: [Int]) throws -> JobResult {
    guard cores.count > 1 else { throw NotMeasured(reason: "needs two cores, and this process may use one") }
    let file = try file()
    // The ring has usually removed its file already.
    // UNSAFE: the path is passed as a C string for the call.
    defer { _ = unsafe unlink(file) }
    let ends = try zip(Role.allCases, cores).map { role, core in
      var job = self
      (job.role, job.core) = (role, core)
      let end = try WorkerProcess(job, name: "the \(role)")
      try end.waitUntilReady()
      return end
    }
    let start = SystemClock().now + .milliseconds(20)
    for end in ends { try end.send("\(start.nanoseconds)") }
    // Do not poll for the result, because that would take a core from a measured process.
    SystemClock().wait(until: start + duration + .milliseconds(10))
    // The other end may hang, or the host may not run it.
    let limit = Duration.seconds(30)
    _ = try holds(within: limit) {
      for end in ends { try end.check() }
      return !ends[1].reports.isEmpty
    }
    guard let result = ends[1].reports.first else {
      throw NotMeasured(reason: "the receiver did not finish within \(limit) after the last frame")
    }
    for end in ends { end.finish() }
    for end in ends { try end.expectEnd(.exit(0)) }
    return result
  }
}
