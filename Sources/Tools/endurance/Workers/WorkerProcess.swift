import CommandLineSupport
import WorkerSupport

/// A worker, as its parent process sees it.
final class WorkerProcess {
  /// The name in messages.
  let name: String
  /// The messages of the worker.
  let messages: WorkerMessages
  let process: ChildProcess

  /// Launches this program again, as a worker.
  init(_ job: WorkerJob, name: String) throws(ProgramFailure) {
    self.name = name
    let arguments: [String]
    do { arguments = try job.arguments() } catch {
      throw ProgramFailure(.internalError, "The job of \(name) has no JSON form: \(error).")
    }
    let messages = WorkerMessages()
    self.messages = messages
    process = try ChildProcess(ChildProcess.ownProgram, arguments) { messages.add($0) }
  }

  /// Throws if the worker has reported a failure.
  func checkReports() throws(CheckFailure) {
    if let failure = messages.failures.first { throw CheckFailure("\(name) reported: \(failure)") }
  }
}
