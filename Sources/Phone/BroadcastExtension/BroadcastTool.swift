import CommandLineSupport
import Foundation

/// Runs the program that checks an extension from outside. `MyExtension check` is `broadcast check MyExtension`.
enum BroadcastTool {
  private static let name = "broadcast"

  /// Replaces this process with the tool if the command line is for the tool; otherwise returns.
  static func take(_ arguments: [String]) {
    guard arguments.count > 1, ["check", "import"].contains(arguments[1]) else { return }
    let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    let tool = own.deletingLastPathComponent().appending(path: name)
    let words =
      [tool.path, arguments[1]] + (arguments[1] == "check" ? [own.path] : []) + arguments.dropFirst(2)
    // UNSAFE: the strings are copies that live as long as the process, and the last one is nil.
    var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
    unsafe execv(tool.path, &pointers)
    StandardStream.error.write(
      "\(own.lastPathComponent): '\(arguments[1])' is a subcommand of the program '\(name)', which is not next to this "
        + "program. Build it: 'swift build --product \(name)'.\n")
    StandardStream.error.flush(within: .milliseconds(500))
    exit(ExitCode.nothingCame.rawValue)
  }
}
