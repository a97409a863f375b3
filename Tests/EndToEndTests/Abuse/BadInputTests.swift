import BroadcastTesting
import ScreenBroadcast
import TestSupport

extension EndToEndTests {
  /// A program reports bad input in one sentence with the correct exit code, and the other process is not affected.
  @MainActor @Suite struct BadInputTests {
    let sandbox = Sandbox.ofSuite()

    @Test func badCommandLinesAreRefusedDuringABroadcast() async throws {
      let watcher = try sandbox.watcher("--verify")
      let producer = try sandbox.producer("--pattern", "proof")
      try await watcher.event("format")
      // A command line that every program rejects, inputs that are read only at run time, and an output in the container.
      let clip = sandbox.folder.appending(path: "short.y4m")
      try Clip(frameCount: 2).data().dropLast(100).write(to: clip)
      let ring = sandbox.container.framesFile
      let other = ["--container", sandbox.root + "-other", "--group", "group.other"]
      let missing = "/no/such/program"
      for (program, arguments, exitCode, naming) in [
        (BuiltPrograms.producer, ["--colour", "red"], 64, "--colour"),
        (BuiltPrograms.producer, other + ["--source", "y4m:\(clip.path)"], 74, clip.path),
        (BuiltPrograms.producer, other + ["--source", "y4m:-"], 74, "stdin"),
        (BuiltPrograms.consumer, ["--container", sandbox.root, "--y4m", ring], 64, "the container"),
        (BuiltPrograms.consumer, ["start", "--producer", missing] + other, 74, missing),
      ] as [(URL, [String], Int32, String)] {
        expect(try await sandbox.run(program, arguments), exitCode: exitCode, naming: naming, "\(arguments)")
      }
      #expect(producer.isRunning)
      try await end(watcher)
    }

    // MARK: The container

    @Test func aContainerThatCannotBeWrittenIsRefused() async throws {
      try FileManager.default.createDirectory(
        atPath: sandbox.root, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o555])
      // The other user must reach the container.
      try FileManager.default.setAttributes([.posixPermissions: 0o711], ofItemAtPath: sandbox.folder.path)
      let shared = ["--container", sandbox.root]
      for program in [BuiltPrograms.producer, BuiltPrograms.consumer] {
        let running =
          Host.isRoot ? try sandbox.launchAsAnotherUser(program, shared) : try sandbox.launch(program, shared)
        expect(
          try await sandbox.finished(running), exitCode: 77, naming: sandbox.root, "a read-only container")
      }
    }

    @Test(.needs(.setpriv), .enabled(if: Host.isRoot, "run as root: the test runs programs as another user"))
    func anotherUserCanNeitherReadNorStopABroadcast() async throws {
      let watcher = try sandbox.watcher("--verify")
      let producer = try sandbox.producer("--pattern", "proof")
      try await watcher.event("format")
      // All users may enter and change the folders above the group's folder. Only the group's folder keeps them out.
      for path in [sandbox.folder.path, sandbox.root] {
        try FileManager.default.setAttributes([.posixPermissions: 0o1777], ofItemAtPath: path)
      }
      for subcommand in ["status", "watch", "stop", "start"] {
        let other = try sandbox.launchAsAnotherUser(
          BuiltPrograms.consumer, [subcommand, "--container", sandbox.root])
        expect(try await sandbox.finished(other), exitCode: 77, naming: sandbox.container.folder, subcommand)
      }
      let second = try sandbox.launchAsAnotherUser(BuiltPrograms.producer, ["--container", sandbox.root])
      expect(try await sandbox.finished(second), exitCode: 77, naming: sandbox.container.folder, "a producer")
      let tools = [
        ["/bin/cat", sandbox.container.framesFile], ["/bin/cat", sandbox.container.preferencesFile],
        ["/bin/rm", "-f", sandbox.container.framesFile], ["/bin/sh", "-c", "kill -TERM \(producer.pid)"],
      ]
      for tool in tools {
        let other = try sandbox.launchAsAnotherUser(URL(filePath: tool[0]), Array(tool.dropFirst()))
        #expect(try await sandbox.finished(other).exitCode != 0, "\(tool)")
      }
      #expect(try sandbox.flag() == true)
      try await sandbox.framesPass(5)
      #expect(producer.isRunning)
      try await end(watcher)
    }

    @Test(arguments: [["status", "--json"], ["status"], ["--help"]])
    func standardOutputThatCannotBeWrittenIsAnError(command: [String]) async throws {
      let full = try #require(FileHandle(forWritingAtPath: "/dev/full"))
      let program = try sandbox.launch(
        BuiltPrograms.consumer, command + ["--container", sandbox.root], output: full)
      #expect(try await program.exitCode() == 73)
      #expect(program.errors.contains("The output cannot be written"))
    }

    @Test func aSnapshotReplacesOnlyAFile() async throws {
      _ = try sandbox.producer()
      let pipe = sandbox.folder.appending(path: "pipe").path
      try makeFile(of: S_IFIFO, at: pipe)
      // A folder is rejected before the watch begins, as for each output.
      for (path, exitCode) in [(pipe, 73), (sandbox.folder.path, 74)] as [(String, Int32)] {
        let before = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        let watch = try await sandbox.finished(try sandbox.watcher("--snapshot", path, "--frames", "2"))
        expect(watch, exitCode: exitCode, naming: path, "--snapshot")
        let after = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
        #expect(after == before)
      }
    }

    // MARK: The key-value file

    @Test func aDamagedKeyValueFileIsMovedAsideAndTheWatcherContinues() async throws {
      let watcher = try sandbox.watcher("--verify", "--status-interval", "0.05")
      let damage = Data("neither a list nor a property".utf8)
      try sandbox.replace(sandbox.container.preferencesFile, with: damage)
      let status = try await sandbox.consumer("status")
      expect(status, exitCode: 74, naming: sandbox.container.preferencesFile, "status")

      let producer = try sandbox.producer("--pattern", "proof")
      try await watcher.event("format")
      #expect(try sandbox.flag() == true)
      let aside = URL(filePath: sandbox.container.preferencesFile + ".damaged")
      #expect(try Data(contentsOf: aside) == damage)

      // Damage during a broadcast does not stop it, and the producer moves the file aside when it ends.
      try sandbox.replace(sandbox.container.preferencesFile, with: damage)
      try await sandbox.framesPass(45)
      #expect(producer.isRunning)
      try await producer.endsInOrder()
      #expect(try sandbox.flag() == false)
      #expect(try Data(contentsOf: URL(filePath: aside.path + "-2")) == damage)
      try await watcher.endOfBroadcast()
      try await end(watcher)
    }

    // MARK: The frames

    @Test func aMalformedRingFileIsAnErrorAndTheWatcherContinues() async throws {
      let ring = sandbox.container.framesFile
      var otherVersion = try await ringOfAProducer()
      let whole = otherVersion
      otherVersion[8] = 99
      var random = SystemRandomNumberGenerator()
      let noise = Data((0..<9_000).map { _ in UInt8.random(in: 0...255, using: &random) })
      let files: [(what: String, bytes: Data)] = [
        ("a ring of another version", otherVersion), ("a ring cut short", whole.prefix(5000)),
        ("a header and random bytes", whole.prefix(12) + noise),
      ]
      let watcher = try sandbox.watcher("--verify", "--status-interval", "0.05")
      try sandbox.setFlag(true)
      try await watcher.event("status") { $0.boolean("active") == true }
      for file in files {
        try sandbox.replace(ring, with: file.bytes)
        let watch = try await sandbox.finished(try sandbox.watcher("--wait", "0.5"))
        expect(watch, exitCode: 74, naming: ring, file.what)
        #expect(watcher.isRunning, "\(file.what)")
      }

      let producer = try sandbox.producer("--pattern", "proof")
      try await watcher.event("format")
      try await sandbox.framesPass(10)
      try await producer.endsInOrder()
      try await watcher.endOfBroadcast()
      try await end(watcher)
    }

    // MARK: -

    /// Expects the exit code, and one sentence on stderr that contains `naming`.
    private func expect(
      _ result: Sandbox.Finished, exitCode: Int32, naming: String, _ what: String,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let (text, program) = (result.errors, result.errors.prefix { $0 != ":" })
      #expect(result.exitCode == exitCode, "\(what): \(text)", sourceLocation: sourceLocation)
      #expect(text.contains(naming), "\(what)", sourceLocation: sourceLocation)
      var lines = text.split(separator: "\n")
      if lines.last?.contains(/^Run '\w+( \w+)? --help' for the options\.$/) == true { lines.removeLast() }
      #expect(lines.count == 1, "\(what): \(text)", sourceLocation: sourceLocation)
      #expect(text.hasPrefix("\(program): "), "\(what)", sourceLocation: sourceLocation)
      #expect(".?".contains(lines.first?.last ?? " "), "\(what): \(text)", sourceLocation: sourceLocation)
      #expect(!text.contains("Fatal error"), "\(what)", sourceLocation: sourceLocation)
    }

    /// Ends a watcher, and expects that it has received only complete frames.
    private func end(_ watcher: LaunchedProgram) async throws {
      #expect(watcher.isRunning)
      try await watcher.endsInOrder()
      let summary = try await watcher.summary()
      #expect(summary.framesDelivered > 0 && summary.framesRepeated == 0 && summary.framesTorn == 0)
    }

    private func ringOfAProducer() async throws -> Data {
      let producer = try await sandbox.startedProducer()
      try await sandbox.framesPass(2)
      let bytes = try Data(contentsOf: URL(filePath: sandbox.container.framesFile))
      try await producer.endsInOrder()
      return bytes
    }
  }
}
