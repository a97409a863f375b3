import Foundation
import Programs

/// A worker, as its parent process sees it. It is killed at the end of this object's life.
final class WorkerProcess {
  let name: String
  let process: ChildProcess
  private(set) var tally = TornTally()
  private let messages = ReceivedLines { try JSONDecoder().decode(WorkerMessage.self, from: $0) }

  /// Launches this program again, as a worker.
  init(_ worker: some Worker, name: String) throws {
    self.name = name
    process = try ChildProcess(ChildProcess.ownProgram, try Workers.arguments(for: worker)) { [messages] in
      messages.add($0)
    }
  }

  deinit { process.kill() }

  func hasSent(_ message: WorkerMessage) -> Bool { messages.all.contains(message) }

  /// The start of the last poll that did not detect the crash of `pid`; `nil` until the worker reports the crash.
  func pollBeforeCrash(of pid: Int32) -> UInt64? {
    for case .crash(pid, let before) in messages.all.reversed() { return before }
    return nil
  }

  /// Takes the newest tally, and removes the messages; throws if one of them is a failure.
  func takeTally() throws(CheckFailure) {
    let received = messages.takeAll()
    try check(received)
    for case .tally(let newest) in received { tally = newest }
  }

  /// Throws if the worker has reported a failure, or has ended by itself.
  func check() throws(CheckFailure) {
    try check(messages.all)
    if !process.isRunning { try expectEnd(nil) }
  }

  /// Waits for the end; throws if it is another one, or if the worker has reported a failure.
  func expectEnd(_ wanted: ChildProcess.Ending?) throws(CheckFailure) {
    let ending = process.end()
    try check(messages.all)
    try expect(ending == wanted, "\(name) \(ending.text)")
  }

  private func check(_ received: [WorkerMessage]) throws(CheckFailure) {
    for case .failure(let failure) in received { throw CheckFailure("\(name) reported: \(failure)") }
    if let line = messages.unreadable { throw CheckFailure("\(name) printed \(line)") }
  }
}
