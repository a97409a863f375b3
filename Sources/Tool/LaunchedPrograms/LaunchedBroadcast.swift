import CommandLineSupport
import Foundation
import ScreenBroadcast

/// The programs of one container, in real time: an extension and its app, or as many of them as a run needs.
///
/// The waits of ``LaunchedProgram`` watch a program.
package final class LaunchedBroadcast {
  /// The side of a broadcast that a program belongs to.
  package enum Side: String, Sendable { case `extension`, app }

  package let container: AppGroupContainer
  /// Words to put before each command, such as `nsenter` with its options. The first word is a path.
  package var commandPrefix: [String] = []
  /// The latest program of an extension.
  package private(set) var `extension`: LaunchedProgram?
  /// The latest program of an app.
  package private(set) var app: LaunchedProgram?
  /// The folder that contains the container.
  package let root: String
  /// The container's own file system, if it has one.
  package let disk: TemporaryFolder?
  private let errorFolder: String
  private var launches = 0

  /// - Parameters:
  ///   - root: the folder that contains the container.
  ///   - disk: the folder with the container's file system. It exists as long as this object and its programs.
  ///   - errorFolder: the folder for the stderr files of the programs.
  package init(
    root: String, group: String, disk: TemporaryFolder? = nil, errorFolder: String
  ) throws(AppGroupContainer.Failure) {
    self.root = root
    self.disk = disk
    self.errorFolder = errorFolder
    container = try AppGroupContainer(root: root, group: group)
  }

  /// Starts a program in the container and collects its events. It adds the options for both, unless `arguments` have them.
  ///
  /// - Parameters:
  ///   - arguments: the arguments, beginning with a subcommand if there is one.
  ///   - side: the side of the program; `nil` for a program that only queries or requests something.
  ///   - name: the name in failures; `nil` for the file name. Only one program of a given name may run at a time.
  ///   - collect: also receives stdout, on a separate thread.
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
  ///   - environment: variables in addition to the environment of this process.
  ///   - output: receives stdout instead of the program's object.
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
