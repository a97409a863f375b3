import ScreenBroadcast
import TestSupport

extension EndToEndTests {
  /// `consumer` and an extension with a handler other than the article's.
  @MainActor @Suite struct ForeignExtensionTests {
    let sandbox = Sandbox.ofSuite()

    /// Starts a handler of another team, which uses neither the article's flag nor its lock.
    private func start() async throws -> Sandbox.Finished {
      let plist = try ExtensionBundle.make(
        "Foreign", "com.example.foreign", in: sandbox.folder, executable: "Foreign",
        principalClass: "ProbeExtension.AsynchronousHandler"
      ).appending(path: "Info.plist").path
      return try await sandbox.consumer(
        "start", "--producer", BuiltPrograms.probeExtension.path, "--", "--size", "160x120", "--info-plist",
        plist)
    }

    private func isActive() async throws -> Bool {
      let status = try await sandbox.consumer("status")
      #expect(status.exitCode == 0, "\(status.errors)")
      let event = try #require(try status.program.events("status").first)
      return event.boolean("active") == true
    }

    @Test func aForeignExtensionIsStartedSeenAndStopped() async throws {
      let start = try await start()
      #expect(start.exitCode == 0, "\(start.errors)")
      #expect(try await isActive())
      let second = try await self.start()
      #expect(second.exitCode == 73 && second.errors.contains("already running"), "\(second.errors)")
      let stop = try await sandbox.consumer("stop")
      #expect(stop.exitCode == 0, "\(stop.errors)")
      #expect(try await !isActive())
    }

    @Test func theCrashOfAForeignExtensionIsReportedAndTheNextStartClearsIt() async throws {
      #expect(try await start().exitCode == 0)
      let crash = try sandbox.launch(
        BuiltPrograms.producer, ["control", "crash", "--container", sandbox.root])
      #expect(try await crash.exitCode() == 0)
      let status = try await sandbox.consumer("status")
      #expect(status.exitCode == 75 && status.errors.contains("clear the lock"), "\(status.errors)")
      #expect(try await sandbox.consumer("start", ["--", "--size", "160x120"]).exitCode == 0)
      #expect(try await sandbox.consumer("stop").exitCode == 0)
      #expect(try await !isActive())
    }
  }
}
