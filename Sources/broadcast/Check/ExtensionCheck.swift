import BroadcastCheck
import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import Programs

struct ExtensionCheck {
  let options: ProducerOptions
  let program: String

  /// Runs the scenarios that the options choose; returns the failure to exit with, if any.
  func run(_ classes: [PrincipalClass]) throws(ProgramFailure) -> ProgramFailure? {
    try CheckCommand(
      options.check.scenarios, of: program, common: options.common, report: options.report,
      arguments: repeatArguments, scenarios: BuiltInScenarios.all
    ).run { () throws(ProgramFailure) in
      try subject(
        classes.chosen(
          by: options.infoPlist.map { path throws(ProgramFailure) in try ExtensionInfo(path: path) }))
    }
  }

  private func subject(_ principalClass: PrincipalClass) throws(ProgramFailure) -> CheckSubject {
    let executable = ChildProcess.ownProgram
    let (app, reason) = try app(of: principalClass, beside: executable)
    return CheckSubject(
      name: program, executable: executable,
      device: Device.Identity(profile: options.screen.device ?? .ofChecks, ios: options.screen.ios),
      arguments: launchArguments, app: app, reasonWithoutApp: reason,
      group: options.common.group, design: try design()
    ) { event, container throws(ProgramFailure) in try event.send(to: container) }
  }

  private func design() throws(ProgramFailure) -> CheckDesign {
    let path = options.check.design ?? ExtensionCheckOptions.standardDesign
    guard options.check.design != nil || FileManager.default.fileExists(atPath: path) else {
      return CheckDesign()
    }
    return try CheckDesign(path: path, scenarios: BuiltInScenarios.files.map(\.name))
  }

  /// The app beside the handler, and why a scenario that needs another one does not apply. `consumer` is the app of the
  /// article's handler only.
  private func app(
    of principalClass: PrincipalClass, beside executable: URL
  ) throws(ProgramFailure) -> (CheckSubject.App?, reason: String) {
    let name = "consumer"
    if let path = options.check.app {
      let program = URL(filePath: path).absoluteURL
      guard FileManager.default.isProgram(atPath: program.path) else {
        throw ProgramFailure(.inputOutput, "\(path) is not a program; name that of the app with --app.")
      }
      guard program.lastPathComponent == name else {
        return (
          .init(program: program, isArticles: false), "it needs the article's app, and --app names another"
        )
      }
      if principalClass.isArticles { return (.init(program: program, isArticles: true), "") }
    }
    guard principalClass.isArticles else {
      return (nil, "it needs an app; name that of this handler with --app")
    }
    let consumer = executable.deletingLastPathComponent().appending(path: name)
    guard FileManager.default.isProgram(atPath: consumer.path) else {
      return (nil, "there is no program 'consumer' beside \(executable.path); name it with --app")
    }
    return (.init(program: consumer, isArticles: true), "")
  }

  /// The options of this command line that every launch of the extension gets.
  private var launchArguments: [String] {
    var arguments: [String] = []
    if let device = options.screen.device { arguments.append("--device=\(device.name)") }
    if options.screen.ios != .newest { arguments.append("--ios=\(options.screen.ios)") }
    if let path = options.infoPlist { arguments.append("--info-plist=\(path)") }
    if let path = options.entitlements { arguments.append("--entitlements=\(path)") }
    return arguments
      + options.setupInfo.sorted { $0.key < $1.key }.map { "--setup-info=\($0.key)=\($0.value)" }
  }

  /// The options of this command line that a repetition has.
  private var repeatArguments: [String] {
    let group = options.common.group
    return (options.check.app.map { ["--app=\($0)"] } ?? [])
      + (options.check.design.map { ["--design=\($0)"] } ?? [])
      + (group == CommonOptions().group ? [] : ["--group=\(group)"]) + launchArguments
  }
}
