import CommandLineSupport
import Foundation
import ScreenBroadcast

/// The programs of one container, in real time: an extension and its app, or as many of them as a run needs.
///
/// A program is watched by the waits of ``LaunchedProgram``.
package final class LaunchedBroadcast {
  /// The side of a broadcast that a program is.
  package enum Side: String, Sendable { case `extension`, app }

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
  package let disk: TemporaryFolder?
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
  ///   - side: its side; `nil` for a program that only asks or requests something.
  ///   - name: what a failure calls it; `nil` for the name of its file. Of programs with a name, one runs at a time.
  ///   - collect: receives its standard output too, on a thread of its own.
  package func start(
    _ program: URL, _ arguments: [String], as side: Side? = nil, named name: String? = nil,
    input: FileHandle = .nullDevice, collect: @escaping @Sendable (Data) -> Void = { _ in }
  ) throws(ProgramFailure) -> LaunchedProgram {
    let subcommand = Array(arguments.prefix(1).filter { !$0.hasPrefix("-") })
    let own = arguments.prefix { $0 != "--" }
    func have(_ option: String) -> Bool { own.contains { $0 == option || $0.hasPrefix(option + "=") } }
    var options = have("--json") ? [] : ["--json"]
    if !have("--container") { options += ["--container", root] }
    if !have("--group"), !have("--environment") { options += ["--group", container.group] }
    return try launch(
      program, subcommand + options + arguments.dropFirst(subcommand.count), as: side, named: name,
      input: input, collect: collect)
  }

  /// Launches a program with exactly these arguments.
  ///
  /// - Parameters:
  ///   - environment: the variables that it gets beside those of this process.
  ///   - output: receives its standard output, instead of the program's object.
  package func launch(
    _ program: URL, _ arguments: [String], as side: Side? = nil, named name: String? = nil,
    environment: [String: String] = [:], input: FileHandle = .nullDevice, output: FileHandle? = nil,
    collect: @escaping @Sendable (Data) -> Void = { _ in }
  ) throws(ProgramFailure) -> LaunchedProgram {
    let command = commandPrefix + [program.path] + arguments
    launches += 1
    let errorFile = name ?? "\(program.lastPathComponent)-\(launches)"
    let launched = try LaunchedProgram(
      URL(filePath: command[0]), Array(command.dropFirst()), named: name ?? program.lastPathComponent,
      environment: environment, input: input, output: output, errorFile: "\(errorFolder)/\(errorFile).errors",
      in: disk, collect: collect)
    switch side {
    case .extension: `extension` = launched
    case .app: app = launched
    case nil: break
    }
    return launched
  }
}
