/// A program that a test ran to its end.
package struct FinishedProgram {
  package var exitCode: Int32
  package var hasExited: Bool
  package var output: String
  package var errors: String

  /// Runs a program in a folder, and writes its output there. Waits for the program without occupying a thread.
  package init(_ program: URL, _ arguments: [String], in folder: String) async throws {
    let paths = ["output", "errors"].map { "\(folder)/\($0)" }
    for path in paths { try Data().write(to: URL(filePath: path)) }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput = FileHandle.nullDevice
    let files = try paths.map { try FileHandle(forWritingTo: URL(filePath: $0)) }
    (process.standardOutput, process.standardError) = (files[0], files[1])
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      process.terminationHandler = { _ in continuation.resume() }
      do { try ProcessLauncher.run(process) } catch { continuation.resume(throwing: error) }
    }
    // A `Process` is not freed, and would keep the files open.
    for file in files { file.closeFile() }
    hasExited = process.terminationReason == .exit
    exitCode = process.terminationStatus
    output = try String(contentsOfFile: paths[0], encoding: .utf8)
    errors = try String(contentsOfFile: paths[1], encoding: .utf8)
  }
}
