import CommandLineSupport
import Foundation
import Platform

package final class ChildProcess {
  /// How long a process may take to start, to react, and to end. An overloaded host may be late by many seconds.
  package static let waitLimit = Duration.seconds(60)

  private let process = Process()
  /// Entered until the output has ended.
  private let outputs = DispatchGroup()

  /// Launches a program.
  ///
  /// - Parameters:
  ///   - environment: variables in addition to the environment of this process.
  ///   - output: receives stdout; `nil` to collect it.
  ///   - errors: the file for stderr; `nil` for the stderr of this process.
  ///   - collect: receives stdout in pieces, on a separate thread, and empty data at the end.
  package init(
    _ program: URL, _ arguments: [String], environment: [String: String] = [:],
    input: FileHandle = .nullDevice, output: FileHandle? = nil, errors: String? = nil,
    collect: @escaping @Sendable (Data) -> Void = { _ in }
  ) throws(ProgramFailure) {
    let pipe = output == nil ? ProcessLauncher.makePipe() : nil
    process.executableURL = program
    process.arguments = arguments
    if !environment.isEmpty {
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    }
    process.standardInput = input
    process.standardOutput = output ?? pipe
    var errorFile: FileHandle?
    // A `Process` is not freed, and would keep the file open. Foundation crashes at a launch with a thousand open files.
    defer { errorFile?.closeFile() }
    do {
      if let errors {
        try Data().write(to: URL(filePath: errors))
        errorFile = try FileHandle(forWritingTo: URL(filePath: errors))
        process.standardError = errorFile
      }
      try ProcessLauncher.run(process)
    } catch {
      throw ProgramFailure(
        .inputOutput, "\(program.path) cannot be launched: \(error.reasonText).")
    }
    guard let reader = pipe?.fileHandleForReading else { return }
    outputs.enter()
    Thread.detachNewThread { [outputs] in
      var data: Data
      repeat {
        data = reader.availableData
        collect(data)
      } while !data.isEmpty
      outputs.leave()
      // Close the file now and not with the last reference, because a run launches thousands of processes.
      reader.closeFile()
    }
  }

  package static let ownProgram =
    (Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])).resolvingSymlinksInPath()

  /// Returns the URL of a program next to this one, or next to the test bundle that this process runs.
  package static func program(_ name: String) -> URL {
    let bundles = Bundle.allBundles.map(\.bundleURL).filter { $0.pathExtension == "xctest" }
    let programs = (bundles + [ownProgram]).map {
      $0.resolvingSymlinksInPath().deletingLastPathComponent().appending(path: name)
    }
    return programs.first { FileManager.default.isExecutableFile(atPath: $0.path) } ?? programs[0]
  }

  package var pid: Int32 { process.processIdentifier }

  package var isRunning: Bool { findEnding() == nil }

  /// The result of ``findEnding()``. For a moment neither `waitid` nor Foundation may report the end, because Foundation is
  /// just reaping the process.
  private var ending: Ending?

  /// Returns how the process ended; `nil` while it runs.
  ///
  /// The system knows the end first. Foundation reaps all processes on one thread, which waits for each process whose files
  /// are closed. On an overloaded host, Linux may take many seconds longer to end that process.
  private func findEnding() -> Ending? {
    if ending != nil { return ending }
    if !process.isRunning {
      ending = Ending(hasExited: process.terminationReason == .exit, process.terminationStatus)
    } else if let (hasExited, status) = System.exitStatus(ofChild: pid) {
      ending = Ending(hasExited: hasExited, status)
    }
    return ending
  }

  /// Sends a signal if the process is still running.
  package func send(_ signal: Int32) {
    if isRunning { _ = Foundation.kill(pid, signal) }
  }

  /// Waits until the process has ended and its output is collected. Returns `nil` if the timeout `limit` expires.
  package func end(within limit: Duration = waitLimit) -> Ending? {
    let hasEnded = holds(within: limit) { !isRunning && outputs.wait(timeout: .now()) == .success }
    return hasEnded ? ending : nil
  }

  /// Kills the process, even if it is stopped, and waits for its end. The wait takes at most ten seconds, because a process
  /// that it started may keep its output open.
  package func kill() {
    send(SIGKILL)
    _ = end(within: .seconds(10))
  }

  package enum Ending: Equatable, CustomStringConvertible {
    case exit(Int32)
    case signal(Int32)

    fileprivate init(hasExited: Bool, _ status: Int32) { self = hasExited ? .exit(status) : .signal(status) }

    /// The predicate of a sentence about the process.
    package var description: String {
      switch self {
      case .exit(let code): "exited with code \(code)"
      case .signal(let number): "ended by signal \(number)"
      }
    }
  }
}

extension ChildProcess.Ending? {
  /// The predicate of a sentence about the process.
  package var text: String { self?.description ?? "does not end" }
}

/// Checks a condition every 0.2 ms until it holds or the timeout expires. Returns whether it held.
package func holds(within limit: Duration = ChildProcess.waitLimit, _ condition: () throws -> Bool) rethrows
  -> Bool
{
  let deadline = ContinuousClock.now + limit
  while try !condition() {
    guard ContinuousClock.now < deadline else { return false }
    usleep(200)
  }
  return true
}
