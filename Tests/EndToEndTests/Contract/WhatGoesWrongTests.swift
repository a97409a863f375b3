import TestSupport

extension EndToEndTests {
  /// Each command of `Docs/WhatGoesWrong.md` prints the lines that the page shows.
  @MainActor @Suite(.sharedMachineFirst) struct WhatGoesWrongTests {
    /// A section of the page: its title, the command that causes the failure, and the lines of output it shows.
    struct Failure: Sendable, CustomTestStringConvertible {
      var title: String
      var command: String
      var output: [String]
      var testDescription: String { title }
    }

    nonisolated static let failures: [Failure] = {
      let page = Document.package.appending(path: "Docs/WhatGoesWrong.md")
      let text = String(decoding: FileManager.default.contents(atPath: page.path) ?? Data(), as: UTF8.self)
      return text.components(separatedBy: "\n## ").dropFirst().map { section in
        let parts = section.components(separatedBy: "```")
        return Failure(
          title: String(section.prefix { $0 != "\n" }),
          command: parts.count > 1 ? String(parts[1].dropFirst("sh\n".count)) : "",
          output: parts.count > 3 ? parts[3].split(separator: "\n").map(String.init) : [])
      }
    }()

    @Test func eachSectionOfThePageHasACommandAndItsOutput() {
      #expect(!Self.failures.isEmpty)
      for failure in Self.failures {
        #expect(!failure.command.isEmpty && !failure.output.isEmpty, "\(failure.title)")
      }
    }

    @Test(arguments: failures) func theCommandCausesTheFailure(_ failure: Failure) async throws {
      let sandbox = try Sandbox()
      // The commands need an idle host: they wait for fixed times, and one needs 240 frames a second. A program that gets a
      // third of a CPU or less is too slow.
      let pace = PaceMeter(allowing: .milliseconds(50), work: .milliseconds(20), every: .milliseconds(250))
      let folders = [BuiltPrograms.producer.deletingLastPathComponent().path, Host.path]
      // The shell waits for the background processes. After 30 s, `timeout` ends all of them.
      let shell = try sandbox.launch(
        URL(filePath: "/usr/bin/env"),
        [
          "BROADCAST_CONTAINER=\(sandbox.root)", "PATH=\(folders.joined(separator: ":"))", "timeout",
          "-k", "1", "30", "sh", "-c",
          "exec 2>&1; cd '\(sandbox.folder.path)'\n\(failure.command)\nwait",
        ])
      _ = try await shell.exitCode(within: .seconds(120))
      let lines = String(decoding: shell.output, as: UTF8.self).split(separator: "\n").map(String.init)
      try pace.expect {
        for expected in failure.output {
          #expect(
            lines.contains { Self.matches($0, expected) },
            "\(expected)\nis not in\n\(lines.joined(separator: "\n"))")
        }
      }
    }

    /// Whether a line equals the expected one, in which `…` stands for any text.
    private static func matches(_ line: String, _ expected: String) -> Bool {
      let parts = expected.components(separatedBy: "…")
      guard line.hasPrefix(parts[0]), let last = parts.last, line.hasSuffix(last) else { return false }
      var rest = line[...]
      for part in parts {
        guard let range = part.isEmpty ? rest.startIndex..<rest.startIndex : rest.range(of: part) else {
          return false
        }
        rest = rest[range.upperBound...]
      }
      return true
    }
  }
}
