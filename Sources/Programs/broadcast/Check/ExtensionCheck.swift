import BroadcastCheck
import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import LaunchedPrograms
import Synchronization

/// Checks the program of an extension.
struct ExtensionCheck {
  let options: BroadcastOptions
  private let executable: URL
  private var program: String { executable.lastPathComponent }

  init(options: BroadcastOptions) {
    self.options = options
    executable = Self.executable(named: options.operands[0])
  }

  /// Returns the operand if it is a path and not a name to look up.
  static func path(of operand: String) -> String? {
    operand.contains("/") || FileManager.default.isProgram(atPath: operand) ? operand : nil
  }

  /// Returns the URL of a program. A name without a folder is a program in the current folder, next to this program, or in
  /// `PATH`.
  private static func executable(named name: String) -> URL {
    let given = URL(filePath: name).absoluteURL
    guard path(of: name) == nil else { return given }
    let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = [own] + path.split(separator: ":").map { URL(filePath: String($0)) }
    return folders.map { $0.appending(path: name) }.first { FileManager.default.isProgram(atPath: $0.path) }
      ?? given
  }

  /// Runs the scenarios that the options select. Returns the failure to exit with, if any.
  func run() throws(ProgramFailure) -> ProgramFailure? {
    try CheckCommand(
      options.check.scenarios, of: program, common: options.common, report: options.report,
      arguments: [options.operands[0]] + repeatArguments, scenarios: BuiltInScenarios.all
    ).run { () throws(ProgramFailure) in
      guard FileManager.default.isProgram(atPath: executable.path) else {
        throw ProgramFailure(
          .inputOutput,
          "\(options.operands[0]) is not a program; build it: 'swift build --product \(program)'.")
      }
      return try subject(handler())
    }
  }

  /// Asks the program for the description of its handler.
  private func handler() throws(ProgramFailure) -> HandlerEvent {
    let output = Mutex(Data())
    // The program's own message is discarded, because the messages below replace it.
    let process = try ChildProcess(
      executable, [HandlerEvent.event] + (options.launch.infoPlist.map { ["--info-plist=\($0)"] } ?? []),
      errors: "/dev/null"
    ) { data in output.withLock { $0 += data } }
    let ending = process.end()
    guard ending == .exit(0) else {
      throw ProgramFailure(
        .inputOutput,
        "\(program) is not the program of an extension of this revision: '\(program) handler' \(ending.text)."
      )
    }
    let handler: HandlerEvent
    do { handler = try JSONDecoder().decode(HandlerEvent.self, from: output.withLock(\.self)) } catch {
      throw ProgramFailure(.inputOutput, "\(program) does not describe its handler: \(error).")
    }
    guard handler.version == HandlerEvent.version else {
      throw ProgramFailure(
        .inputOutput, "\(program) was built with another revision of the emulator; build both again.")
    }
    return handler
  }

  private func subject(_ handler: HandlerEvent) throws(ProgramFailure) -> CheckSubject {
    let (app, reason) = try app(of: handler, beside: executable)
    return CheckSubject(
      name: program, executable: executable,
      device: Device.Identity(
        profile: options.launch.screen.device ?? .ofChecks, ios: options.launch.screen.ios),
      arguments: options.launch.arguments, app: app, reasonWithoutApp: reason,
      group: options.common.group, design: try design()
    ) { event, container throws(ProgramFailure) in try event.send(to: container) }
  }

  private func design() throws(ProgramFailure) -> CheckDesign {
    let path = options.check.design ?? ExtensionCheckOptions.standardDesign
    guard options.check.design != nil || FileManager.default.fileExists(atPath: path) else {
      return CheckDesign()
    }
    return try CheckDesign(path: path)
  }

  /// Returns the app for the handler, and the reason why a scenario that needs another app is not judged. `consumer` is
  /// only the app of the article's handler.
  private func app(
    of handler: HandlerEvent, beside executable: URL
  ) throws(ProgramFailure) -> (CheckSubject.App?, reason: String) {
    let name = "consumer"
    if let path = options.check.app {
      let program = URL(filePath: path).absoluteURL
      guard FileManager.default.isProgram(atPath: program.path) else {
        throw ProgramFailure(.inputOutput, "\(path) is not a program; name the app's program with --app.")
      }
      guard program.lastPathComponent == name else {
        return (
          .init(program: program, isArticles: false), "it needs the article's app, but --app names another"
        )
      }
      if handler.isArticles { return (.init(program: program, isArticles: true), "") }
    }
    guard handler.isArticles else {
      return (nil, "it needs an app; name the handler's app with --app")
    }
    let consumer = executable.deletingLastPathComponent().appending(path: name)
    guard FileManager.default.isProgram(atPath: consumer.path) else {
      return (nil, "there is no program 'consumer' next to \(executable.path); name it with --app")
    }
    return (.init(program: consumer, isArticles: true), "")
  }

  /// The options of this command line that a repetition needs.
  private var repeatArguments: [String] {
    let group = options.common.group
    return (options.check.app.map { ["--app=\($0)"] } ?? [])
      + (options.check.design.map { ["--design=\($0)"] } ?? [])
      + (group == CommonOptions().group ? [] : ["--group=\(group)"]) + options.launch.arguments
  }
}
