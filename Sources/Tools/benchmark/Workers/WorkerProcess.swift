import Foundation

/// One process of a pair, seen from the benchmark.
final class WorkerProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var unread = Data()
  private let role: Job.Role

  /// Starts the process and waits until its end of the transport stands.
  init(_ job: Job) throws {
    role = job.role
    let argument = String(decoding: try JSONEncoder().encode(job), as: UTF8.self)
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = [Worker.verb, argument]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    guard try line() == "ready" else { throw Failure("the \(role) of \(job.transport) did not start") }
  }

  /// Names the moment to begin.
  func begin(at moment: UInt64) throws {
    try input.fileHandleForWriting.write(contentsOf: Data("\(moment)\n".utf8))
  }

  /// Waits for its result.
  func result() throws -> JobResult {
    try JSONDecoder().decode(JobResult.self, from: Data(try line().utf8))
  }

  /// Lets the process leave, and waits until it has.
  func leave() throws {
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
  }

  /// Ends the process, whatever it does.
  func end() {
    if process.isRunning { process.terminate() }
  }

  private func line() throws -> String {
    while true {
      if let end = unread.firstIndex(of: 0x0A) {
        defer { unread = Data(unread[(end + 1)...]) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else {
        process.waitUntilExit()
        throw Failure("the \(role) ended early (status \(process.terminationStatus))")
      }
      unread += more
    }
  }
}
