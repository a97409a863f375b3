import TestSupport

/// Tests `run-demo.sh` on a simulated Mac: `uname` and the container programs are scripts in the only folder of the PATH.
@Suite struct DemoScriptTests {
  private let folder = TemporaryFolder.ofSuite()

  init() throws {
    try add("uname", "echo Darwin")
    for tool in ["/bin/bash", "/usr/bin/dirname"] {
      let link = folder(URL(filePath: tool).lastPathComponent)
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: tool)
    }
  }

  private func add(_ program: String, _ line: String) throws {
    try Data("#!/bin/sh\n\(line)\n".utf8).write(to: URL(filePath: folder(program)))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder(program))
  }

  private func run(_ arguments: String...) async throws -> FinishedProgram {
    try await FinishedProgram(
      URL(filePath: "/usr/bin/env"),
      ["PATH=\(folder.path)", Document.package.appending(path: "run-demo.sh").path] + arguments,
      in: folder.path)
  }

  @Test func eitherContainerRunsTheDemoWithItsOptions() async throws {
    try add("container", #"echo "$1" "${10}""#)
    #expect(try await run().output == "run ./run-demo.sh\n")
    try add("docker", #"echo "$@""#)
    let output = try await run("--seconds", "4").output
    let root = Document.package.path
    #expect(output == "run --rm --shm-size 1g -v \(root):/src -w /src swift:6.3 ./run-demo.sh --seconds 4\n")
  }

  @Test func aMacWithoutAContainerIsToldWhatToInstall() async throws {
    let run = try await run()
    #expect(
      run.exitCode == 69 && run.errors.contains("Install Docker or Apple's 'container'"), "\(run.errors)")
    try add("docker", "[ $1 != info ]")
    #expect(try await self.run().errors.contains("does not run. Start it."))
  }
}
