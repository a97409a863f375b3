import Foundation
import ScreenBroadcast
import TestSupport
import Testing

extension EndToEndTests {
  /// The app taps the system's picker, and the system launches an installed extension.
  @MainActor @Suite struct PickerTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private var folder: URL { sandbox.folder.appending(path: "Extensions") }

    private func install(
      _ name: String, _ identifier: String, principalClass: String = "ScreenBroadcast.SampleHandler",
      point: String = ExtensionBundle.point, program: URL? = BuiltPrograms.producer
    ) throws {
      let bundle = try ExtensionBundle.make(
        name, identifier, in: folder, executable: name, principalClass: principalClass, point: point)
      guard let program else { return }
      try FileManager.default.createSymbolicLink(
        at: bundle.appending(path: name), withDestinationURL: program)
    }

    private func start(_ arguments: String...) async throws -> Sandbox.Finished {
      try await sandbox.consumer("start", arguments + ["--", "--size", "160x120"])
    }

    @Test func thePreferredExtensionIsLaunchedAndBroadcasts() async throws {
      try install("One", "com.example.one")
      try install("Two", "com.example.two")
      let start = try await start(
        "--extensions", folder.path, "--extension", "com.example.two", "--microphone")
      #expect(start.exitCode == 0, "\(start.errors)")
      let holder = try sandbox.holder()
      guard case .alive(let pid) = holder else {
        Issue.record("the holder of the broadcast after 'start' is \(holder)")
        return
      }
      let line = try Data(contentsOf: URL(filePath: "/proc/\(pid)/cmdline"))
      let words = line.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      #expect(words.first == folder.path + "/Two.appex/Two")
      #expect(words.contains("--mic=tone"))
      #expect(words.contains("--info-plist=\(folder.path)/Two.appex/Info.plist"))
      try await sandbox.framesPass(2)
      #expect(try await sandbox.consumer("stop").exitCode == 0)
    }

    @Test func withoutAPreferenceTheOnlyExtensionIsLaunched() async throws {
      try install("One", "com.example.one")
      #expect(try await start("--extensions", folder.path).exitCode == 0)
      #expect(try await sandbox.consumer("stop").exitCode == 0)
    }

    private func isActive() async throws -> Bool {
      let status = try await sandbox.consumer("status")
      #expect(status.exitCode == 0, "\(status.errors)")
      let event = try #require(try status.program.events("status").first)
      return event.boolean("active") == true
    }

    /// A handler of another team, which has neither the article's flag nor its lock.
    private func installForeignExtension() throws {
      try install(
        "Foreign", "com.example.foreign", principalClass: "ProbeExtension.AsynchronousHandler",
        program: BuiltPrograms.probeExtension)
    }

    @Test func aForeignExtensionIsStartedSeenAndStopped() async throws {
      try installForeignExtension()
      let start = try await start("--extensions", folder.path)
      #expect(start.exitCode == 0, "\(start.errors)")
      #expect(try await isActive())
      let second = try await self.start("--extensions", folder.path)
      #expect(second.exitCode == 73 && second.errors.contains("already running"), "\(second.errors)")
      let stop = try await sandbox.consumer("stop")
      #expect(stop.exitCode == 0, "\(stop.errors)")
      #expect(try await !isActive())
    }

    @Test func theCrashOfAForeignExtensionIsReportedAndTheNextStartClearsIt() async throws {
      try installForeignExtension()
      #expect(try await start("--extensions", folder.path).exitCode == 0)
      let crash = try sandbox.launch(
        BuiltPrograms.producer, ["control", "crash", "--container", sandbox.root])
      #expect(try await crash.exitCode() == 0)
      let status = try await sandbox.consumer("status")
      #expect(status.exitCode == 75 && status.errors.contains("clear the lock"), "\(status.errors)")
      #expect(try await start("--producer", BuiltPrograms.producer.path).exitCode == 0)
      #expect(try await sandbox.consumer("stop").exitCode == 0)
      #expect(try await !isActive())
    }

    @Test func aForeignExtensionWhoseStartDoesNotReturnIsTerminated() async throws {
      try installForeignExtension()
      let start = try await sandbox.run(
        BuiltPrograms.consumer,
        [
          "start", "--json", "--container", sandbox.root, "--extensions", folder.path, "--wait", "1", "--",
          "--at", "0s slow:20",
        ])
      #expect(start.exitCode == 69)
      #expect(start.errors.contains("did not start a broadcast within 1 s"), "\(start.errors)")
      let pid = try #require(start.errors.firstMatch(of: /process (\d+)/).flatMap { Int32($0.1) })
      #expect(kill(pid, 0) != 0)
    }

    @Test func anExtensionThatCannotBeLaunchedIsReportedInOneSentence() async throws {
      try install("One", "com.example.one")
      try install("Twin", "com.example.one")
      try install("Setup", "com.example.setup", point: "com.apple.broadcast-services-setupui")
      try install("Empty", "com.example.empty", program: nil)
      try install("Wrong", "com.example.wrong", principalClass: "Other.SampleHandler")
      for (arguments, code, text) in [
        (["--extension", "com.example.two"], 64, "there is 'com.example.empty', 'com.example.one'"),
        (["--extension", "com.example.one"], 64, "2 extensions have the identifier 'com.example.one'"),
        (["--extension", "com.example.setup"], 64, "com.apple.broadcast-services-setupui"),
        (
          ["--extension", "com.example.empty"], 74,
          "/Empty.appex/Empty, which CFBundleExecutable names, is not a program"
        ),
        // The launched process reports this one.
        (["--extension", "com.example.wrong"], 64, "names the principal class 'Other.SampleHandler'"),
        ([], 64, "The picker shows 4 extensions"),
      ] as [([String], Int32, String)] {
        let words = ["start", "--json", "--container", sandbox.root, "--extensions", folder.path] + arguments
        let start = try await sandbox.run(BuiltPrograms.consumer, words)
        #expect(start.exitCode == code, "\(arguments): \(start.errors)")
        #expect(start.errors.contains(text), "\(start.errors)")
        #expect(start.errors.split(separator: "\n").count == 1)
        #expect(start.output.isEmpty)
      }
    }
  }
}
