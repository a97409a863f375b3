import CommandLineSupport
import Foundation
import PhoneLink
import Platform
import ScreenBroadcast
import SharedMemory

/// The launch of a producer: its program, its arguments, and the file for its output.
package struct ProducerLaunch: Sendable {
  package var program: URL
  package var arguments: [String]
  package var logFile: String
  private let container: AppGroupContainer

  /// Creates a launch of `program`. Its output goes to the caches folder of the container.
  package init(program: URL, arguments: [String], container: AppGroupContainer) {
    self.program = program
    self.arguments = arguments
    logFile = container.producerLogFile
    self.container = container
  }

  /// The program `producer` in the folder of this program.
  package static var neighbour: URL {
    let path = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return path.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("producer")
  }

  /// Launches the producer, which outlives this program. Throws if the program or the log cannot be used.
  func run() throws(ProgramFailure) -> Process {
    guard FileManager.default.isProgram(atPath: program.path) else {
      throw ProgramFailure(
        .inputOutput,
        "\(program.path) is not a program; build it with 'swift build', or name one with --producer.")
    }
    do {
      let log = try makeLog()
      let process = Process()
      process.executableURL = program
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = log
      process.standardError = log
      try ProcessLauncher.run(process)
      return process
    } catch let error as FileError {
      throw ProgramFailure(error)
    } catch {
      throw ProgramFailure(.inputOutput, "\(program.path) cannot be launched: \(error.reasonText).")
    }
  }

  /// Creates the log, which replaces the log of the last launch. A concurrent launch keeps writing to its own, unlinked
  /// file.
  private func makeLog() throws -> FileHandle {
    let log = URL(fileURLWithPath: logFile)
    let file = try FolderLock.hold(on: log.deletingLastPathComponent().path) { () throws(FileError) in
      try PlainFile.replace(logFile, with: [])
      return Result { try FileHandle(forUpdating: log) }
    }.get()
    // Append, so that all processes continue at the new end when the log is truncated.
    _ = fcntl(file.fileDescriptor, F_SETFL, O_APPEND)
    return file
  }

  /// Closes this program's handle of a process's log. Foundation keeps a `Process` forever, and its files with it.
  func closeLog(of process: Process) { (process.standardOutput as? FileHandle)?.closeFile() }

  /// Truncates the log if the program writes much. Once the broadcast runs, it does so itself.
  func limitLog() {
    // A log that cannot be truncated does not justify a failed start.
    do throws(FileError) { try container.limitLog() } catch {}
  }

  /// Returns the output of the process; empty if it cannot be read. The failure then refers to the log file instead.
  private func output(of process: Process) -> String {
    guard let log = process.standardOutput as? FileHandle else { return "" }
    do {
      try log.seek(toOffset: 0)
      return String(decoding: try log.readToEnd() ?? Data(), as: UTF8.self)
    } catch {
      return ""
    }
  }

  /// Returns the failure of a producer that exited: its own exit code and its last message.
  @MainActor
  func failure(of process: Process) -> ProgramFailure {
    let output = output(of: process)
    // An extension with another program name reports under that name.
    let prefixes = ["producer: ", "\(program.lastPathComponent): "]
    let message = output.split(separator: "\n").reversed().lazy.compactMap { line in
      prefixes.first { line.hasPrefix($0) }.map { String(line.dropFirst($0.count)) }
    }.first
    guard process.terminationReason == .exit else {
      let pid = process.processIdentifier
      let what =
        FactsFile.memoryKill(of: pid, in: container).map { "(process \(pid)) \($0)" }
        ?? "died while it started; its messages are in \(logFile)"
      return ProgramFailure(.producerCrashed, "The producer \(what).")
    }
    let code = ExitCode(rawValue: process.terminationStatus) ?? .internalError
    guard let message else {
      return ProgramFailure(
        code, "The producer refused to start; its messages are in \(logFile).", pointsToHelp: false)
    }
    let help = code == .usage ? " See 'producer --help'." : ""
    return ProgramFailure(code, message + help, pointsToHelp: false)
  }
}
