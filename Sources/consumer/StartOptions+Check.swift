import CommandLineSupport
import EmulatedSystem
import Foundation
import Platform

extension StartOptions {
  /// Becomes the subcommand `check` of the installed extension that the person picks. Only its own program knows its
  /// handlers.
  @MainActor
  func check(_ common: CommonOptions) throws(ProgramFailure) -> Never {
    guard let (chosen, _) = try pick() else {
      throw ProgramFailure(
        .usage, "'check' needs an installed extension; name the folder of the bundles with --extensions.")
    }
    var arguments = ["check", "--info-plist=\(chosen.infoPlist)", "--group=\(common.group)"]
    arguments += common.container.map { ["--container=\($0)"] } ?? []
    arguments += (common.json ? ["--json"] : []) + (common.quiet ? ["--quiet"] : [])
    let namesApp = producerArguments.contains { $0 == "--app" || $0.hasPrefix("--app=") }
    // The article's app is this program; an extension with another handler does not use it.
    if !namesApp, let path = Bundle.main.executableURL?.path { arguments.append("--app=\(path)") }
    var words = unsafe ([chosen.executable] + arguments + producerArguments).map { unsafe strdup($0) } + [nil]
    // UNSAFE: each word is a copy of its own, and the list ends with a null.
    _ = unsafe execv(chosen.executable, &words)
    let error = FileError(.call("execv", .current), chosen.executable)
    throw ProgramFailure(errno: error.code, "The extension's program cannot be run: \(error).")
  }
}
