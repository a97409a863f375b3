import BroadcastTesting
import Causes
import PhoneLink
import ScreenBroadcast
import TestSupport

extension EndToEndTests {
  /// A handler's misuse of its samples and a group that it should not use are reported, and the broadcast continues.
  @MainActor @Suite struct MisuseTests {
    let sandbox = Sandbox.ofSuite()

    /// As on a device, unless the handler suppresses the signal.
    @Test(arguments: [
      ("BrokenPipeHandler", true, "Set SO_NOSIGPIPE on the socket"),
      ("QuietSocketHandler", false, "The app is gone."),
      ("QuietProcessHandler", false, "The app is gone."),
    ])
    func aWriteToAClosedSocketEndsTheExtension(handler: String, ends: Bool, says: String) async throws {
      let writer = try sandbox.probeExtension(handler, [])
      #expect(try await writer.end() == (ends ? .signal(SIGPIPE) : .exit(76)))
      #expect(writer.errors.contains(says))
    }

    /// A semaphore and shared memory by other names, and files outside of the containers.
    @Test(arguments: [
      ("NamingHandler", "posixName", "1 1"), ("RightNamingHandler", nil, "0 0"),
      ("StrayingHandler", "outsideContainers", "513 written written written"),
    ])
    func theSandboxRefusesWhatADeviceRefuses(handler: String, kind: String?, results: String) async throws {
      let process = try sandbox.probeExtension(handler, ["--frames", "5"])
      #expect(try await (process.exitCode(), process.event("log").text("text")) == (0, results))
      #expect(try process.events("misuse").compactMap { $0.text("kind") } == (kind.map { [$0] } ?? []))
    }

    /// A call that fails on a device for another reason is not a misuse.
    @Test(arguments: [false, true]) func onlyFilesInTheContainersCanBeChanged(isOutside: Bool) async throws {
      try sandbox.container.prepare()
      let parent = isOutside ? sandbox.folder : URL(filePath: sandbox.container.folder)
      let folder = parent.appending(path: "it")
      for name in "fg" {
        try FileManager.default.createDirectory(
          at: folder.appending(path: "\(name)"), withIntermediateDirectories: true)
      }
      for name in "abcde" { try Data([1]).write(to: folder.appending(path: "\(name)")) }
      let process = try sandbox.probeExtension(
        "MovingHandler", ["--frames", "5", "--setup-info", "folder=\(folder.path)"])
      let calls = String(repeating: isOutside ? "1 " : "0 ", count: 18)
      #expect(try await (process.exitCode(), process.event("log").text("text")) == (0, calls + "2 2 17"))
      let kinds = try process.events("misuse").compactMap { $0.text("kind") }
      #expect(kinds == (isOutside ? ["outsideContainers"] : []))
      #expect(process.errors.components(separatedBy: "is written or removed").count == (isOutside ? 2 : 1))
    }

    /// On a device the extension has died.
    @Test func aHandlerThatExitsHasCrashed() async throws {
      let junit = sandbox.folder.appending(path: "run.xml")
      let process = try sandbox.probeExtension("ExitingHandler", ["--junit", junit.path])
      #expect(try await process.exitCode() == 75)
      let end = try await process.broadcastEnd()
      #expect(end.reason == "exited" && end.framesProduced >= 2)
      #expect(end.dialog?.contains("Attempted to start an invalid broadcast session") == true)
      #expect(process.errors.contains("The handler called exit"))
      let report = FactsFile.causes(of: process.pid, in: sandbox.container)
      #expect(report.map(\.kind) == [.crashed])
      #expect(try String(contentsOf: junit, encoding: .utf8).contains("75: The handler called exit."))
    }

    @Test func aHandlerThatKeepsItsSamplesGetsSevenFrames() async throws {
      let pace = PaceMeter(allowing: .milliseconds(8))
      let keeper = try sandbox.probeExtension("KeepingHandler", ["--duration", "3"])
      #expect(try await (keeper.exitCode(), keeper.errors.contains("release each sample soon")) == (0, true))
      let misuse = try await keeper.event("misuse")
      #expect(misuse.text("kind") == "kept")
      try EventDocument().expect(keeper.events(), of: "producer")
      // The last buffer may still wait for a thread of the handler.
      try pace.expect {
        #expect(keeper.errors.contains("It held 7 of 7 buffers, the longest for "))
        #expect(misuse.integer("buffersHeld") == 7)
      }
      let finished = try await keeper.event("finished")
      let frames = try #require(finished.integer("framesProduced"))
      #expect(frames <= 7 && finished.integer("buffersHeld") == frames)
      // The audio of the last ten milliseconds is not held for long.
      let samples = try #require(finished.integer("samplesHeld"))
      let held = try #require(finished.number("heldSeconds"))
      let samplesHeld = try #require(finished.number("samplesHeldSeconds"))
      try pace.expect {
        #expect(frames == 7 && samples > 7 + 100)
        #expect(held > 0.5 && samplesHeld > 0.5)
      }
      // Each frame that was dropped for want of a buffer is a misuse. A screen that is starved of CPU drops more frames.
      let misuses = try #require(finished.integer("misuses"))
      let dropped = try #require(finished.integer("framesDropped"))
      #expect(misuses <= dropped)
      try pace.expect { #expect(misuses == dropped) }
    }

    /// Teams report that a copy by the CPU may have rows of two frames, and that a copy by hardware does not.
    @Test(arguments: ["processor", "transfer", "image"])
    func aPictureThatIsDrawnOverHarmsCopiesByTheProcessorOnly(way: String) async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let handler = try sandbox.probeExtension(
        "CopyingHandler",
        [
          "--setup-info", "way=\(way)", "--pattern", "proof", "--fps", "30", "--at", "0.3s", "overlap:60",
          "--frames", "60",
        ], size: "750x1334")
      #expect(try await handler.exitCode() == 0)
      let result = try #require(try await handler.event("log").text("text"))
      #expect((result == "0 mixed") == (way != "processor"), "\(result)")
      try Self.expectNoMisuse(of: handler, pace)
    }

    /// If a queue of the handler is starved of CPU, it holds all buffers.
    private static func expectNoMisuse(of handler: LaunchedProgram, _ pace: PaceMeter) throws {
      let kinds = try handler.events("misuse").compactMap { $0.text("kind") }
      #expect(kinds.filter { $0 != "kept" } == [])
      try pace.expect { #expect(kinds == []) }
    }

    @Test func anAsynchronousHandlerHasNoMisuse() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let handler = try sandbox.probeExtension("AsynchronousHandler", ["--frames", "30"])
      #expect(try await (handler.exitCode(), handler.broadcastEnd().framesProduced) == (0, 30))
      try Self.expectNoMisuse(of: handler, pace)
      let held = try await handler.broadcastEnd().samplesHeld
      try pace.expect { #expect(held < 5) }
    }

    @Test func aHandlerThatAsksForAnotherGroupIsReportedOnce() async throws {
      let handler = try sandbox.probeExtension(
        "LitteringHandler", ["--group", "group.com.example.other", "--frames", "5"])
      #expect(try await handler.exitCode() == 0)
      let report = "requests the app group 'group.com.example.screenshare.dev'"
      #expect(handler.errors.components(separatedBy: report).count == 2, "\(handler.errors)")
      #expect(handler.errors.contains("start it with --group group.com.example.screenshare.dev"))
    }

    @Test(arguments: [true, false]) func aGroupThatTheEntitlementsDoNotGrantHasNoContainer(isGranted: Bool)
      async throws
    {
      let file = sandbox.folder.appending(path: "Probe.entitlements")
      let group = isGranted ? "group.com.example.screenshare.dev" : "group.com.example.other"
      try ExtensionBundle.write(["com.apple.security.application-groups": [group]], to: file)
      let handler = try sandbox.probeExtension(
        "AskingHandler", ["--entitlements", file.path, "--frames", "5"])
      #expect(try await handler.exitCode() == 0)
      let answer = try await handler.event("log").text("text")
      #expect(answer == "container \(isGranted ? "there" : "nil"), defaults 7")
      #expect(handler.errors.contains("client is not entitled") == !isGranted)
      let list = sandbox.container.preferencesFile
      #expect(FileManager.default.fileExists(atPath: list) == isGranted)
      let article = try sandbox.producer("--entitlements", file.path, "--frames", "5")
      #expect(try await article.exitCode() == (isGranted ? 0 : 77), "\(article.errors)")
      #expect(article.errors.contains("add it to the entitlements of the app") == !isGranted)
    }

    @Test func workAfterTheLastCallGetsTimeAndIsReported() async throws {
      let pace = PaceMeter(allowing: .milliseconds(100))
      let handler = try sandbox.probeExtension("FinishingHandler", ["--frames", "5"])
      #expect(try await handler.exitCode() == 0)
      let work = try await handler.event("finished").number("workSeconds")
      let file = sandbox.container.folder + "/recording"
      // If the host does not run the thread for half a second, the phone sees no work and cuts it off.
      try pace.expect {
        #expect((work ?? 0) > 0.1)
        #expect(handler.errors.contains("wait in broadcastFinished for work that must not be lost"))
        #expect(FileManager.default.fileExists(atPath: file))
      }
    }
  }
}
