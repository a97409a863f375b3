import CommandLineSupport

/// A worker as the process sees it that started it.
final class WorkerProcess {
  /// What it is called in messages to people.
  let name: String
  /// What it tells.
  let mailbox: Mailbox
  /// Its process.
  let process: ChildProcess

  /// Starts this program again, as a worker.
  init(_ order: WorkerOrder, name: String) throws(ProgramFailure) {
    self.name = name
    let arguments: [String]
    do { arguments = try order.arguments() } catch {
      throw ProgramFailure(.internalError, "The order for \(name) has no JSON form: \(error).")
    }
    let mailbox = Mailbox()
    self.mailbox = mailbox
    process = try ChildProcess(ChildProcess.ownProgram, arguments) { mailbox.add($0) }
  }
}
