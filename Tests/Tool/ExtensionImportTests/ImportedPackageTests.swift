import TestSupport

@testable import ExtensionImport

/// Tests that an imported package builds, runs, and passes its tests.
@Suite struct ImportedPackageTests: ImportSuite {
  let temporary = TemporaryFolder.ofSuite(ofPrograms: true)

  /// Runs a program and returns its exit code and its output.
  private func launch(_ program: String, _ arguments: [String]) throws -> (Int32, String) {
    let output = Mutex(Data())
    let process = try ChildProcess(URL(filePath: program), arguments) { data in output.withLock { $0 += data }
    }
    let ending = process.end(within: .seconds(1200))
    let text = String(decoding: output.withLock { $0 }, as: UTF8.self)
    guard case .exit(let code) = ending else { return (-1, text) }
    return (code, text)
  }

  @Test(.enabled(if: runsLongTests, "builds the emulator a second time: set LONG_TESTS=1"))
  func anImportedPackageBuildsRunsAndPassesItsTest() throws {
    try write(targetFiles)
    _ = try run()
    let (code, output) = try launch("/usr/bin/env", ["swift", "test", "--package-path", package.path])
    #expect(code == 0, "\(output.suffix(4000))")
    #expect(output.contains("theHandlerTakesFramesAndEnds() passed") && !output.contains("warning:"))
    let program = package.path + "/.build/debug/Upload"
    let run = try launch(
      program,
      [
        "--info-plist", package.path + "/Sources/Upload/Info.plist", "--container",
        folder.path + "/container", "--duration", "1",
      ])
    #expect(run.0 == 0 && run.1.contains("0 dropped"))
  }
}
