import BroadcastCheck
import CommandLineSupport
import ContainerDoctor
import EmulatedDevice
import EmulatedSystem
import ScreenBroadcast

enum BroadcastProgram {
  @MainActor static func run(_ arguments: [String]) {
    BroadcastOptions.program.run(arguments) { options throws(ProgramFailure) in
      switch options.subcommand {
      case .check?: BroadcastOptions.program.exit(try ExtensionCheck(options: options).run())
      case .import?:
        var importing = options.importing
        importing.folder = options.operands[0]
        try importing.run(options.common.console())
      case .doctor? where options.check.scenarios.lists:
        try Finding.Kind.list(to: options.common.console(), options.common.jsonLines)
      case .doctor?: BroadcastOptions.program.exit(try examine(options))
      case nil: throw ProgramFailure(.usage, "A subcommand is missing: check, import or doctor.")
      }
      BroadcastOptions.program.exit(nil)
    }
  }

  private static func examine(_ options: BroadcastOptions) throws(ProgramFailure) -> ProgramFailure? {
    let diagnosis: Diagnosis
    if let app = options.doctor.app {
      diagnosis = try ConfigurationDoctor(
        app: app, appEntitlements: options.doctor.appEntitlements, extension: options.doctor.extension,
        extensionEntitlements: options.doctor.extensionEntitlements
      ).examine()
    } else {
      let container = try options.common.appGroupContainer()
      Device.install(.ofApp(root: container.parentFolder))
      let doctor = ContainerDoctor(container: container)
      diagnosis = options.doctor.fix ? doctor.repair() : doctor.examine()
    }
    if let lines = options.common.jsonLines {
      try diagnosis.write(to: lines)
    } else {
      options.common.console().say(diagnosis.text)
    }
    return diagnosis.failure
  }
}
