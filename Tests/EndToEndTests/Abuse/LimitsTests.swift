import TestSupport

extension EndToEndTests {
  /// Programs with closed standard streams, low limits or malformed arguments.
  @MainActor @Suite struct LimitsTests {
    let sandbox = Sandbox.ofSuite()

    /// Runs a program from a shell that first executes `setup`.
    private func shell(
      _ setup: String, _ program: URL, _ arguments: String...
    ) async throws -> Sandbox.Finished {
      let running = try sandbox.launch(
        URL(filePath: "/bin/sh"),
        ["-c", "\(setup) exec \"$0\" \"$@\"", program.path, "--container", sandbox.root] + arguments)
      return try await sandbox.finished(running)
    }

    @Test(arguments: ["exec <&-;", "exec >&-;", "exec 2>&-;", "exec <&- >&- 2>&-;"])
    func withAClosedStandardStreamNoMessageGetsIntoAnOutput(setup: String) async throws {
      let file = sandbox.folder.appending(path: "frames.y4m")
      _ = try await sandbox.startedProducer("--pattern", "proof")
      let watch = try await shell(
        setup, BuiltPrograms.consumer, "--verify", "--frames", "3", "--output-size", "native",
        "--y4m", file.path)
      #expect(watch.exitCode == 0, "\(watch.errors)")
      let bytes = try Data(contentsOf: file)
      #expect(bytes.starts(with: Data("YUV4MPEG2 ".utf8)) && bytes.range(of: Data("broadcast".utf8)) == nil)
    }

    @Test func aProducerWithClosedStandardStreamsBroadcasts() async throws {
      let watcher = try await sandbox.readyWatcher("--verify", "--once", "--status-interval", "0.05")
      let producer = try await shell(
        "exec <&- >&- 2>&-;", BuiltPrograms.producer, "--pattern", "proof", "--size", "160x120",
        "--frames", "180")
      #expect(producer.exitCode == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
    }

    /// A pipe whose reader takes nothing.
    @Test func aStreamThatNobodyReadsDelaysTheEndByTwoSeconds() async throws {
      let pipe = ProcessLauncher.makePipe()
      _ = try await sandbox.startedProducer("--size", "640x480")
      let watcher = try sandbox.launch(
        BuiltPrograms.consumer,
        ["--container", sandbox.root, "--output-size", "native", "--y4m", "-"],
        output: pipe.fileHandleForWriting)
      try pipe.fileHandleForWriting.close()
      try await sandbox.framesPass(20)
      try await eventually("a full pipe") { watcher.errors.contains("live") }
      let start = ContinuousClock.now
      watcher.send(SIGTERM)
      #expect(try await watcher.exitCode() == 74)
      let time = ContinuousClock.now - start
      #expect(time > .seconds(1.9) && time < .seconds(4), "\(time)")
      #expect(watcher.errors.contains("The reader of stdout takes no more frames"))
      try pipe.fileHandleForReading.close()
    }

    @Test func aProgramThatIsLaunchedWithBlockedSignalsEndsAtASignal() async throws {
      // UNSAFE: local sets; the launched program begins with the mask of this thread.
      var (blocked, before) = (sigset_t(), sigset_t())
      unsafe sigemptyset(&blocked)
      unsafe sigaddset(&blocked, SIGTERM)
      unsafe pthread_sigmask(SIG_BLOCK, &blocked, &before)
      let status = try sandbox.launch(
        BuiltPrograms.consumer, ["status", "--container", sandbox.root, "--wait", "20"])
      unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
      status.send(SIGTERM)
      #expect(try await status.end() == .signal(SIGTERM))
    }

    @Test(arguments: [BuiltPrograms.producer, BuiltPrograms.consumer])
    func aQuitSignalEndsAProgramAtOnce(program: URL) async throws {
      let running = try sandbox.start(program, [])
      try await running.event(program == BuiltPrograms.producer ? "started" : "status")
      running.send(SIGQUIT)
      #expect(try await (running.end(), running.errors.isEmpty) == (.signal(SIGQUIT), true))
    }

    /// Launches a program that prints much into a pipe that nobody reads. Waits longer than the program waits for its
    /// output.
    private func helpForAReaderThatStandsStill() async throws -> (running: LaunchedProgram, output: Pipe) {
      let pipe = ProcessLauncher.makePipe()
      #expect(fcntl(pipe.fileHandleForWriting.fileDescriptor, 1031 /* F_SETPIPE_SZ */, 4096) == 4096)
      let running = try sandbox.launch(
        BuiltPrograms.producer, ["broadcast", "--help"], output: pipe.fileHandleForWriting)
      try pipe.fileHandleForWriting.close()
      #expect(try await firstValue(within: .seconds(3)) { running.hasEnded ? true : nil } == nil)
      return (running, pipe)
    }

    @Test func outputForAReaderThatStandsStillIsNotLost() async throws {
      let (running, pipe) = try await helpForAReaderThatStandsStill()
      let output = try await Task.detached { try pipe.fileHandleForReading.readToEnd() }.value
      #expect(try await running.exitCode() == 0)
      let whole = try await sandbox.run(BuiltPrograms.producer, ["broadcast", "--help"])
      #expect(output == whole.output)
    }

    @Test func aSignalEndsAProgramWhoseReaderStandsStill() async throws {
      let (running, pipe) = try await helpForAReaderThatStandsStill()
      running.send(SIGINT)
      #expect(try await running.end() == .signal(SIGINT))
      withExtendedLifetime(pipe) {}
    }

    /// Expects that each program, run after `setup`, asks for a higher limit.
    private func expectRefusal(_ setup: String, _ reason: String, mayNotBegin: Bool = false) async throws {
      for program in [BuiltPrograms.producer, BuiltPrograms.consumer] {
        let finished = try await shell(setup, program, "--duration", "0.1")
        // With too little for its libraries, the program does not begin.
        if finished.exitCode == 127, mayNotBegin { continue }
        #expect(finished.exitCode == 74)
        #expect(finished.errors.contains("\(reason); raise it"), "\(finished.errors)")
      }
    }

    @Test(arguments: [3, 6, 9, 12, 14, 20]) func tooFewFilesAreAnError(limit: Int) async throws {
      try await expectRefusal("ulimit -n \(limit);", "open files is too low", mayNotBegin: limit < 6)
    }

    @Test func filesThatTheLauncherLeftOpenCount() async throws {
      let setup = (3...9).map { "exec \($0)</dev/null; " }.joined() + "ulimit -n 34;"
      try await expectRefusal(setup, "open files is too low")
    }

    // Between 95,000 and 105,000 KiB the libraries are loaded, but fail to start.
    @Test(arguments: [90_000, 140_000, 180_000])
    func tooLittleAddressSpaceIsAnError(limit: Int) async throws {
      try await expectRefusal("ulimit -v \(limit);", "address space is too low", mayNotBegin: true)
    }

    @Test(
      .needs(.setpriv),
      .enabled(if: Host.isRoot, "run as root: the limit of threads holds for another user only"),
      arguments: [2, 5, 12])
    func tooFewThreadsAreAnError(limit: Int) async throws {
      for program in [BuiltPrograms.producer, BuiltPrograms.consumer] {
        let finished = try await sandbox.finished(
          sandbox.launchAsAnotherUser(
            program, ["--container", sandbox.root, "--duration", "0.1"],
            // The option is -u in bash and -p in dash.
            setup: "ulimit -u \(limit) 2>/dev/null || ulimit -p \(limit);"))
        #expect(finished.exitCode == 74)
        #expect(finished.errors.contains("threads is too low; raise it"), "\(finished.errors)")
      }
    }

    @Test func aPathThatIsNotUTF8IsRefused() async throws {
      for program in [BuiltPrograms.producer, BuiltPrograms.consumer] {
        let running = try sandbox.launch(
          URL(filePath: "/bin/sh"),
          [
            "-c", #"exec "$0" --duration 0.1 --container "$1/a$(printf '\377')""#, program.path,
            sandbox.folder.path,
          ])
        let finished = try await sandbox.finished(running)
        #expect(finished.exitCode == 64)
        #expect(finished.errors.contains("is not UTF-8"), "\(finished.errors)")
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder.path)
      #expect(!names.contains { $0.hasPrefix("a") })
    }

    @Test func controlCharactersOfAPathAreNotPrinted() async throws {
      let path = sandbox.folder.path + "/\u{1B}[31mred\nproducer: all is well"
      try Data().write(to: URL(filePath: path))
      for (program, arguments) in [
        (BuiltPrograms.producer, ["--container", path]), (BuiltPrograms.consumer, ["--container", path]),
        (BuiltPrograms.broadcast, ["doctor", "--app", path]),
        (BuiltPrograms.consumer, ["--container", sandbox.root, "--group", "group.\u{1B}x"]),
        (BuiltPrograms.consumer, ["--container", sandbox.root, "--y4m", path + "/x"]),
      ] {
        let finished = try await sandbox.run(program, arguments)
        #expect(finished.exitCode != 0 && !finished.errors.contains("\nproducer: all"), "\(finished.errors)")
        #expect(!finished.errors.contains("\u{1B}") && !finished.output.contains(0x1B), "\(arguments)")
      }
    }
  }
}
