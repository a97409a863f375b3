import CommandLineSupport
import Foundation
import MemoryKillRecord
import Platform
import ScreenBroadcast
import SharedMemory

/// A producer to be launched: which program, with which arguments, and where its messages go.
package struct ProducerLaunch: Sendable {
  /// The program.
  package var program: URL
  /// Its arguments.
  package var arguments: [String]
  /// The file that gets what it prints.
  package var logFile: String
  private let memoryKills: MemoryKillFile

  /// A launch of `program`; its messages go into the container's caches.
  package init(program: URL, arguments: [String], container: AppGroupContainer) {
    self.program = program
    self.arguments = arguments
    logFile = container.producerLogFile
    memoryKills = MemoryKillFile(container: container)
  }

  /// The program `producer` in the folder of this program.
  package static var neighbour: URL {
    let path = Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return path.resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("producer")
  }

  /// Launches it. It goes on when this program ends.
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
      try process.run()
      return process
    } catch let error as StorageError {
      throw ProgramFailure(error)
    } catch {
      throw ProgramFailure(.inputOutput, "\(program.path) cannot be launched: \(error.localizedDescription).")
    }
  }

  /// A log of this launch's own, in the place of the last one's.
  ///
  /// Two launches may come at the same time: one after the other makes its file, and keeps it when the name goes
  /// to the other's.
  private func makeLog() throws -> FileHandle {
    let log = URL(fileURLWithPath: logFile)
    return try FolderLock.hold(on: log.deletingLastPathComponent().path) {
      try PlainFile.replace(logFile, with: [])
      return try FileHandle(forUpdating: log)
    }
  }

  /// What the process printed; nothing when that cannot be read, as the sentence then names the file.
  private func words(of process: Process) -> String {
    guard let log = process.standardOutput as? FileHandle else { return "" }
    do {
      try log.seek(toOffset: 0)
      return String(decoding: try log.readToEnd() ?? Data(), as: UTF8.self)
    } catch {
      return ""
    }
  }

  /// Why a producer that ended by itself did so: its own exit code and its last words.
  @MainActor
  func failure(of process: Process) -> ProgramFailure {
    let words = words(of: process)
    // An extension of another name speaks under its own.
    let speakers = ["producer: ", "\(program.lastPathComponent): "]
    let message = words.split(separator: "\n").reversed().lazy.compactMap { line in
      speakers.first { line.hasPrefix($0) }.map { String(line.dropFirst($0.count)) }
    }.first
    guard process.terminationReason == .exit else {
      let pid = process.processIdentifier
      let what =
        memoryKills.kill(of: pid).map { "(process \(pid)) \($0)" }
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
