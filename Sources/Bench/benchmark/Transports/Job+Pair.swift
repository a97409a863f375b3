import Foundation
import LaunchedPrograms
import Platform
import ToolSupport

extension Job {
  /// Runs both ends of the transport for a time, each in a process on a core of its own; returns the result of the receiver.
  func runPair(on cores: [Int]) throws -> JobResult {
    guard cores.count > 1 else { throw NotMeasured(reason: "needs two cores, and this process may use one") }
    let file = try file()
    // The ring has usually removed its file.
    // UNSAFE: the path is lent to the call as a C string.
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
    // Polls for the result would take a core from a process that is measured.
    SystemClock().wait(until: start + duration + .milliseconds(10))
    // The other end may hang, or the machine may not run it.
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
