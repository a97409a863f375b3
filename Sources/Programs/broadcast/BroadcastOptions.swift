import BroadcastCheck
import CommandLineSupport
import EmulatedSystem
import RunReports

package struct BroadcastOptions: OptionGroup {
  enum Subcommand: String { case check, `import`, doctor }

  var subcommand: Subcommand?
  var operands: [String] = []
  var common = CommonOptions()
  var launch = LaunchOptions()
  var check = ExtensionCheckOptions()
  var importing = ImportOptions()
  var doctor = DoctorOptions()
  var report = ReportOptions()

  package init() {}

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    subcommand = invocation.subcommand.flatMap(Subcommand.init)
    operands = invocation.operands
    try launch.finish(invocation)
    try check.finish(invocation)
    try report.finish(invocation)
    if subcommand == .doctor { try doctor.finish(invocation) }
  }

  package var namedFiles: [NamedFile] {
    // A name without a folder may be a program next to this one, or in `PATH`.
    let program = subcommand == .check ? operands.first.flatMap(ExtensionCheck.path(of:)) : nil
    return [.prints("--json", common.json), .reads("check", program)] + launch.namedFiles + check.namedFiles
      + report.namedFiles
  }

  package static let program = Program<Self>(
    name: "broadcast",
    summary:
      "broadcast examines an extension and its app from outside: programs, projects and containers.",
    usage: [
      "broadcast check PROGRAM [OPTIONS]", "broadcast import PROJECT [OPTIONS]", "broadcast doctor [OPTIONS]",
      "broadcast doctor --app PATH [--extension PATH]", "broadcast doctor --list",
    ],
    subcommands: [
      HelpEntry(
        "check",
        "Check the handler of an extension's program against the known failures, with a verdict for each."),
      HelpEntry("import", "Make a package from an extension in Xcode."),
      HelpEntry(
        "doctor",
        "Find problems of the container and their repairs. Explains their meaning on a device; with --app, examines "
          + "the Info.plists and entitlements of an app."),
    ],
    options: LaunchOptions.options.inside(\.launch).only(with: ["check"])
      + ExtensionCheckOptions.options.filter { $0.declaration.name != "--list" }.inside(\.check)
      + [
        .flag(
          "--list", \.check.scenarios.lists,
          help: "List the scenarios with their tags, or the kinds of findings, and exit.")
      ].under("What is checked").only(with: ["check", "doctor"])
      + ReportOptions.options.inside(\.report).only(with: ["check"])
      + ImportOptions.options.inside(\.importing)
      + DoctorOptions.options.inside(\.doctor).only(with: ["doctor"])
      + CommonOptions.sharing.inside(\.common).only(with: ["check", "doctor"])
      + CommonOptions.printing.inside(\.common),
    operands: [
      Operand("check", "PROGRAM", "the program of an extension"),
      Operand(
        "import", "PROJECT",
        "an Xcode project, or a folder with a project or with the target of an extension"),
    ],
    examples: [
      HelpEntry("broadcast check .build/debug/MyExtension", "Check a handler:"),
      HelpEntry("broadcast import MyApp.xcodeproj", "Make a package from an extension:"),
      HelpEntry("broadcast doctor --fix", "Find out why no frames come, and repair it:"),
      HelpEntry(
        "broadcast doctor --app MyApp.app", "Find out why app and extension do not connect on a device:"),
    ],
    mostUsed: ["--only", "--list", "--report", "--junit", "--json"], elsewhere: [:], signals: [])
}
