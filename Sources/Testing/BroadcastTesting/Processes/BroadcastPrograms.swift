import CommandLineSupport
import EmulatedSystem
import Foundation
import LaunchedPrograms
import ScreenBroadcast

/// The programs of one container, in real time: an extension and its app, or as many of them as a test needs.
///
/// `TestBroadcast` uses it for processes; the end-to-end suites and `endurance` use it directly. A program is watched by the
/// waits of ``LaunchedProgram``, and judged by its ``BroadcastEnd`` or its ``AppSummary``.
package final class BroadcastPrograms {
  package let container: AppGroupContainer
  /// The words before each command, such as those of `nsenter`; the first one is a path.
  package var commandPrefix: [String] = []
  /// The newest program of an extension.
  package private(set) var `extension`: LaunchedProgram?
  /// The newest program of an app.
  package private(set) var app: LaunchedProgram?
  /// The folder that holds the container.
  package let root: String
  /// The file system of the container, if it has one of its own.
  private let disk: TemporaryFolder?
  private let errorFolder: String
  private var launches = 0

  /// - Parameters:
  ///   - root: the folder that holds the container.
  ///   - disk: the folder with the file system of the container, which exists as long as this object and its programs.
  ///   - errorFolder: the folder of the files with the standard error of each program.
  package init(
    root: String, group: String, disk: TemporaryFolder? = nil, errorFolder: String
  ) throws(AppGroupContainer.Failure) {
    (self.root, self.disk, self.errorFolder) = (root, disk, errorFolder)
    container = try AppGroupContainer(root: root, group: group)
  }

  /// Starts a program in the container, with its events: it gets the options for both, unless `arguments` have them.
  ///
  /// - Parameters:
  ///   - arguments: its arguments; a subcommand comes first.
  ///   - side: the side of the broadcast that it is; `nil` for a program that only asks or requests something.
  ///   - name: what a failure calls it; `nil` for the name of its file. Of programs with a name, one runs at a time.
  ///   - collect: receives its standard output too, on a thread of its own.
  package func start(
    _ program: URL, _ arguments: [String], as side: BroadcastFault.Side? = nil, named name: String? = nil,
    input: FileHandle = .nullDevice, collect: @escaping @Sendable (Data) -> Void = { _ in }
  ) throws(ProgramFailure) -> LaunchedProgram {
    let subcommand = Array(arguments.prefix(1).filter { !$0.hasPrefix("-") })
    let own = arguments.prefix { $0 != "--" }
    func have(_ option: String) -> Bool { own.contains { $0 == option || $0.hasPrefix(option + "=") } }
    var options = have("--json") ? [] : ["--json"]
    if !have("--container") { options += ["--container", root] }
    if !have("--group"), !have("--environment") { options += ["--group", container.group] }
    let launched = try launch(
      program, subcommand + options + arguments.dropFirst(subcommand.count), named: name,
      input: input, collect: collect)
    switch side {
    case .extension: `extension` = launched
    case .app: app = launched
    case nil: break
    }
    return launched
  }

  /// Launches a program with exactly these arguments.
  ///
  /// - Parameter output: receives its standard output, instead of the program's object.
  package func launch(
    _ program: URL, _ arguments: [String], named name: String? = nil, input: FileHandle = .nullDevice,
    output: FileHandle? = nil, collect: @escaping @Sendable (Data) -> Void = { _ in }
  ) throws(ProgramFailure) -> LaunchedProgram {
    let command = commandPrefix + [program.path] + arguments
    launches += 1
    let errorFile = name ?? "\(program.lastPathComponent)-\(launches)"
    return try LaunchedProgram(
      URL(filePath: command[0]), Array(command.dropFirst()), named: name ?? program.lastPathComponent,
      input: input, output: output, errorFile: "\(errorFolder)/\(errorFile).errors", in: disk,
      collect: collect)
  }

  /// Damages something from outside; of several programs of a side, the newest one.
  package func perform(_ fault: BroadcastFault) throws(BroadcastFault.Impossible) {
    switch fault {
    case .kill(let side): try send(SIGKILL, to: side)
    case .suspend(let side): try send(SIGSTOP, to: side)
    case .resume(let side): try send(SIGCONT, to: side)
    case .truncate(let name, let byteCount): try container.truncate(name, toByteCount: byteCount)
    case .setFlag(let value): try container.setFlag(value)
    case .fillDisk, .emptyDisk:
      guard let disk, disk.diskSpace != nil else {
        throw BroadcastFault.Impossible(
          "A full disk needs one of its own; give the broadcast a diskSpace.")
      }
      do { if fault == .fillDisk { try disk.fill() } else { try disk.empty() } } catch {
        throw BroadcastFault.Impossible("\(disk.path): \(error.reasonText)")
      }
    }
  }

  private func send(_ signal: Int32, to side: BroadcastFault.Side) throws(BroadcastFault.Impossible) {
    guard let program = side == .app ? app : `extension`, !program.hasEnded else {
      throw BroadcastFault.Impossible("The process of the \(side.rawValue) does not run.")
    }
    program.send(signal)
  }
}

extension LaunchedProgram {
  /// Waits until the program of an extension has ended, and returns how its broadcast ended.
  @MainActor
  package func broadcastEnd(within limit: Duration = ChildProcess.patience) async throws -> BroadcastEnd {
    var exitCode: Int32?
    if case .exit(let code) = try await end(within: limit) { exitCode = code }
    guard let finished = received.all.last(where: { $0.name == FinishedEvent.event }) else {
      return BroadcastEnd(crash: exitCode)
    }
    var end = BroadcastEnd(try finished.decoded(as: FinishedEvent.self))
    end.exitCode = exitCode
    return end
  }

  /// Waits until an app has ended, and returns its figures.
  @MainActor
  package func summary(within limit: Duration = ChildProcess.patience) async throws -> AppSummary {
    let end = try await end(within: limit)
    guard let summary = try events("summary").last else { throw failure("\(end) without its figures") }
    return try summary.decoded(as: AppSummary.self)
  }
}
