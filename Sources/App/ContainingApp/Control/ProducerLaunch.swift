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
  /// The file for its output.
  package var logFile: String
  private let container: AppGroupContainer

  /// A launch of `program`, whose output goes into the caches of the container.
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
      try Launching.run(process)
      return process
    } catch let error as FileError {
      throw ProgramFailure(error)
    } catch {
      throw ProgramFailure(.inputOutput, "\(program.path) cannot be launched: \(error.reasonText).")
    }
  }

  /// Creates the log, which replaces the one of the last launch. A concurrent launch keeps its own file without a name.
  private func makeLog() throws -> FileHandle {
    let log = URL(fileURLWithPath: logFile)
    let file = try FolderLock.hold(on: log.deletingLastPathComponent().path) { () throws(FileError) in
      try PlainFile.replace(logFile, with: [])
      return Result { try FileHandle(forUpdating: log) }
    }.get()
    // Processes append, so that a cut of the log moves their place too.
    _ = fcntl(file.fileDescriptor, F_SETFL, O_APPEND)
    return file
  }

  /// Closes the log of a process in this program. Foundation keeps a `Process` for ever, and its files with it.
  func closeLog(of process: Process) { (process.standardOutput as? FileHandle)?.closeFile() }

  /// Cuts the log of a program that writes much. The broadcast does so itself, once it runs.
  func limitLog() {
    // A log that cannot be cut is not worth the failure of a start.
    do throws(FileError) { try container.limitLog() } catch {}
  }

  /// The output of the process; empty if it cannot be read, as the message then names the file.
  private func output(of process: Process) -> String {
    guard let log = process.standardOutput as? FileHandle else { return "" }
    do {
      try log.seek(toOffset: 0)
      return String(decoding: try log.readToEnd() ?? Data(), as: UTF8.self)
    } catch {
      return ""
    }
  }

  /// The failure of a producer that exited: its own exit code and its last message.
  @MainActor
  func failure(of process: Process) -> ProgramFailure {
    let output = output(of: process)
    // An extension with another name reports under that name.
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
