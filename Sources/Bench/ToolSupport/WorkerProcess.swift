import Foundation
import LaunchedPrograms
import Platform

/// A worker, from its parent process's point of view. It is killed when this object is deallocated.
package final class WorkerProcess<Report: Codable & Equatable & Sendable> {
  package let name: String
  package let process: ChildProcess
  private let input = ProcessLauncher.makePipe()
  private let messages = ReceivedLines {
    try JSONDecoder().decode(WorkerMessage<Report>.self, from: $0)
  }

  /// Launches this program again as a worker.
  package init(_ worker: some Worker<Report>, name: String) throws {
    self.name = name
    let parameters = String(decoding: try JSONEncoder().encode(worker), as: UTF8.self)
    process = try ChildProcess(
      ChildProcess.ownProgram, [WorkerSubcommand.name, "\(type(of: worker))", parameters],
      input: input.fileHandleForReading
    ) { [messages] in messages.add($0) }
    input.fileHandleForReading.closeFile()
  }

  deinit {
    finish()
    process.kill()
  }

  /// Whether the worker has reported that it is ready. `false` again after ``takeReports()``.
  package var isReady: Bool { messages.all.contains(.ready) }

  /// Waits until the worker is ready. Throws if it fails or ends instead.
  package func waitUntilReady() throws {
    let hasStarted = try holds {
      try check()
      return isReady
    }
    try expect(hasStarted, "\(name) did not start within \(ChildProcess.waitLimit)")
  }

  /// The worker's reports that were not taken yet.
  package var reports: [Report] { Self.reports(in: messages.all) }

  /// Removes and returns the worker's reports. Throws if one of the messages is a failure.
  package func takeReports() throws(CheckFailure) -> [Report] {
    let received = messages.takeAll()
    try check(received)
    return Self.reports(in: received)
  }

  package func send(_ line: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// Asks the worker to end; see ``expectEnd(_:)``.
  package func finish() { input.fileHandleForWriting.closeFile() }

  /// Throws if the worker has reported a failure, or has ended by itself.
  package func check() throws(CheckFailure) {
    try check(messages.all)
    if !process.isRunning { try expectEnd(nil) }
  }

  /// Waits for the end. Throws if the worker ended otherwise than `wanted`, or if it has reported a failure.
  package func expectEnd(_ wanted: ChildProcess.Ending?) throws(CheckFailure) {
    let ending = process.end()
    try check(messages.all)
    try expect(ending == wanted, "\(name) \(ending.text)")
  }

  private func check(_ received: [WorkerMessage<Report>]) throws(CheckFailure) {
    for case .failure(let failure) in received { throw CheckFailure("\(name) reported: \(failure)") }
    if let line = messages.unreadable { throw CheckFailure("\(name) printed \(line)") }
  }

  private static func reports(in messages: [WorkerMessage<Report>]) -> [Report] {
    messages.compactMap { if case .report(let report) = $0 { report } else { nil } }
  }
}
