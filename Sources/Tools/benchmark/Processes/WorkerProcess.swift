import Foundation
import Platform
import Programs

/// A process of a pair, as the benchmark sees it.
final class WorkerProcess {
  let role: Job.Role
  private let process: ChildProcess
  private let input = Launching.makePipe()
  private let lines = LineQueue()
  private let limit: Duration

  /// Launches the process and waits until its end of the transport is ready.
  init(_ job: Job) throws {
    role = job.role
    limit = job.limit
    let argument = String(decoding: try JSONEncoder().encode(job), as: UTF8.self)
    process = try ChildProcess(
      ChildProcess.ownProgram, [Worker.subcommand, argument], input: input.fileHandleForReading
    ) { [lines] in lines.add($0) }
    try input.fileHandleForReading.close()
    guard try line() == Data("ready".utf8) else {
      throw Failure("the \(role) of \(job.transport) did not start")
    }
  }

  /// Sends the time at which to begin.
  func begin(at moment: MonotonicTime) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(moment.nanoseconds)\n".utf8))
  }

  func result() throws -> JobResult { try JSONDecoder().decode(JobResult.self, from: line()) }

  /// Lets the process exit, and waits until it has.
  func finish() throws {
    try input.fileHandleForWriting.close()
    guard process.end() != nil else { throw Failure("the \(role) does not exit") }
  }

  /// Ends the process in any state.
  func end() { process.send(SIGTERM) }

  private func line() throws -> Data {
    if let line = lines.next() { return line }
    let ending = process.end()
    if ending == .signal(SIGALRM) {
      throw NotMeasured(reason: "the \(role) did not finish within \(limit.components.seconds) s")
    }
    throw Failure("the \(role) \(ending.text)")
  }
}
