import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import ScreenBroadcast

/// The programs that scenarios run.
package struct CheckSubject: Sendable {
  /// The name of the extension's program.
  package var name: String
  package var executable: URL
  /// The device of every launch of extension and app.
  package var device: Device.Identity
  /// The arguments of every launch of the extension.
  package var arguments: [String]
  /// The app that runs alongside the extension, if there is one.
  package var app: App?
  /// The reason why there is no app, as a sentence.
  package var reasonWithoutApp: String
  /// The identifier of the app group.
  package var group: String
  /// The team's statements about the extension.
  package var design: CheckDesign
  /// Performs an event on the broadcast of a container, as the subcommand `control` does.
  package var control: @Sendable (DeviceEvent, AppGroupContainer) throws(ProgramFailure) -> Void

  /// The program of an app.
  package struct App: Sendable {
    var program: URL
    /// Whether it is the article's consumer. Scenarios know the options and output of the consumer.
    var isArticles: Bool
    /// The arguments of every launch of another app.
    var arguments: [String]

    package init(program: URL, isArticles: Bool, arguments: [String] = []) {
      self.program = program
      self.isArticles = isArticles
      self.arguments = arguments
    }
  }

  package init(
    name: String, executable: URL, device: Device.Identity, arguments: [String], app: App?,
    reasonWithoutApp: String, group: String,
    design: CheckDesign = CheckDesign(),
    control: @escaping @Sendable (DeviceEvent, AppGroupContainer) throws(ProgramFailure) -> Void
  ) {
    self.name = name
    self.executable = executable
    self.device = device
    self.arguments = arguments
    self.app = app
    self.reasonWithoutApp = reasonWithoutApp
    self.group = group
    self.control = control
    self.design = design
  }

  /// Creates the subject for an app that captures the screen itself, without an extension. Scenarios add their own
  /// arguments to `arguments`.
  package init(app program: URL, named name: String, device: Device.Identity, arguments: [String]) {
    self.init(
      name: name, executable: program, device: device, arguments: [],
      app: App(program: program, isArticles: false, arguments: arguments), reasonWithoutApp: "",
      group: CommonOptions().group
    ) { event, _ throws(ProgramFailure) in
      throw ProgramFailure(.internalError, "'\(event.text)' is not possible without an extension.")
    }
  }

  /// Returns the arguments of a launch: the scenario's, then those of every launch, then the defaults. An option replaces
  /// its later occurrences.
  func arguments(of scenario: [String], in container: AppGroupContainer, root: String) -> [String] {
    let defaults = [
      "--pattern=proof", "--device=\(device.profile.name)", "--ios=\(device.ios.text)", "--fps=30",
    ]
    var chosen = scenario
    // These options all determine the size.
    let alike = ["--size", "--device", "--panel", "--source"]
    func gives(_ option: String) -> Bool {
      let names = alike.contains(option) ? alike : [option]
      return chosen.contains { word in names.contains { word == $0 || word.hasPrefix("\($0)=") } }
    }
    for argument in arguments + defaults {
      let option = String(argument.prefix { $0 != "=" })
      if option == "--setup-info" || !gives(option) { chosen.append(argument) }
    }
    return ["--json", "--container=\(root)", "--group=\(container.group)"] + chosen
  }
}
