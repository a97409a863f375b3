import Foundation
import Platform
import Synchronization

/// The options that programs share: the container, the app group, and the kind of output.
package struct CommonOptions: OptionGroup {
  /// The folder that contains the app groups' folders; `nil` for the default.
  package var container: String?
  package var environment = AppEnvironment.dev
  /// The app group's identifier as typed (may be malformed).
  var givenGroup: String?
  package var json = false
  package var quiet = false

  /// The maximum duration that an option accepts.
  package static let longest = Duration.seconds(1_000_000)

  package init() {}

  /// The app group's identifier: as typed, or otherwise from the configuration.
  package var group: String { givenGroup ?? environment.groupIdentifier }

  /// Returns the console for the user. Its messages go to `stream`. With `--json` or `--quiet` it prints only errors.
  package func console(messages stream: StandardStream = .output) -> Console {
    Console(messages: quiet || json ? nil : stream, errors: .error)
  }

  /// The JSON lines of `--json`, on stdout.
  package var jsonLines: JSONLines? { json ? JSONLines(to: .output) : nil }

  /// The arguments that lead another program to the same container and app group.
  package var sharedArguments: [String] {
    (container.map { ["--container=\(URL(fileURLWithPath: $0).path)"] } ?? Self.containerOption()) + [
      "--group=\(group)"
    ]
  }

  /// Returns the `--container` option for the container that the environment names. Empty if it names none, or the default one.
  package static func containerOption(
    of environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> [String] {
    let path = AppGroupRoot.standard(environment: environment).path
    let others = environment.filter { $0.key != "BROADCAST_CONTAINER" }
    return path == AppGroupRoot.standard(environment: others).path ? [] : ["--container=\(path)"]
  }

  /// The command line of this process, usable in any terminal, even in another folder or if its environment names no container.
  package static var commandLine: [String] {
    let arguments = absolute(CommandLine.arguments)
    let isNamed = arguments.contains { $0 == "--container" || $0.hasPrefix("--container=") }
    return arguments + (isNamed ? [] : containerOption())
  }

  /// The files that the options of this process name; set by ``Program/run(_:body:)``.
  static let namedFiles = Mutex<[NamedFile]>([])

  /// Returns a command line of this program in which the program and all files have absolute paths.
  package static func absolute(_ line: [String], files: [NamedFile] = namedFiles.withLock { $0 }) -> [String]
  {
    var line = line
    if let file = line.first, file.contains("/") { line[0] = URL(fileURLWithPath: file).path }
    for index in line.indices.dropFirst() {
      let parts = line[index].split(separator: "=", maxSplits: 1).map(String.init)
      let (name, value) =
        parts.count == 2 && parts[0].hasPrefix("--") ? (parts[0], parts[1]) : (line[index - 1], line[index])
      let path =
        name == "--container" ? value : files.lazy.compactMap { $0.path(for: name, or: line[index]) }.first
      guard let path, path != "-", value.hasSuffix(path) else { continue }
      line[index] = line[index].dropLast(path.count) + URL(fileURLWithPath: path).path
    }
    return line
  }

  /// Returns a command line that runs `command` in this container.
  package func line(_ command: String, _ arguments: [String] = []) -> String {
    let shared = sharedArguments.filter { $0 != "--group=\(Self().group)" }
    return ([command] + (shared + arguments).map(\.shellWord)).joined(separator: " ")
  }

  package static let sharing: [Option<Self>] = [
    .value(
      "--container", "DIR", .text("a folder"), \.container,
      help: "The folder that holds the app groups' folders.",
      default: "$BROADCAST_CONTAINER, else the user's folder in a memory file system"),
    .value(
      "--group", "ID", .text("an app group identifier, such as 'group.com.example.screenshare'"),
      \.givenGroup,
      help: "The app group's identifier, such as group.com.example.screenshare.",
      default: "the app group of --environment"),
    .value(
      "--environment", "NAME", .choice, \.environment,
      help: "The app's configuration (dev, stg or prod). It selects the app group."),
  ].under("What both programs must agree on")

  package static let printing: [Option<Self>] = [
    .flag(
      "--json", \.json, help: "Write one JSON object per line to stdout, and nothing else."),
    .flag("--quiet", \.quiet, help: "Print only errors, and the JSON lines of --json."),
  ].under("What is printed")
}

package struct LimitOptions: OptionGroup {
  /// The maximum duration of the run; `nil` for no limit.
  package var duration: Duration?
  /// The maximum number of frames; `nil` for no limit.
  package var frames: Int?

  package init() {}

  package static let options: [Option<Self>] = [
    .value(
      "--duration", "TIME", .seconds(in: .milliseconds(1)...CommonOptions.longest), \.duration,
      help: "End after this time, in seconds or as 500ms, 5s or 2m; at most 1000000 seconds.",
      default: "no limit"),
    .value(
      "--frames", "N", .integer(in: 1...1_000_000_000), \.frames,
      help: "End after this number of frames, 1 to 1000000000.", default: "no limit"),
  ].under("When to end")
}

/// The build configuration of an app. Each has a separate app group.
package enum AppEnvironment: String, CaseIterable, Sendable {
  case dev, stg, prod

  /// The identifier of the app group that both processes share in this configuration.
  package var groupIdentifier: String {
    switch self {
    case .dev, .stg: "group.com.example.screenshare.\(rawValue)"
    case .prod: "group.com.example.screenshare"
    }
  }
}
