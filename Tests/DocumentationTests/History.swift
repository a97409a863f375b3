import TestSupport

extension Document {
  /// Returns the lines of all versions of a file in the history of git, newest first. Cancels the test if there are no
  /// versions: a clone without the full history has only some of them.
  static func history(of file: String) async throws -> String {
    let log = try await withFolder { folder in
      try await FinishedProgram(
        URL(filePath: "/usr/bin/env"),
        [
          "git", "-C", package.path, "log", "--patch", "--unified=1000", "--full-history", "--format=", "--",
          file,
        ], in: folder.path)
    }
    let lines = log.output.split(separator: "\n").filter { $0.hasPrefix("+") || $0.hasPrefix(" ") }
    guard !lines.isEmpty else { try Test.cancel("git shows no history of \(file): \(log.errors)") }
    return lines.map { $0.dropFirst() }.joined(separator: "\n")
  }
}
