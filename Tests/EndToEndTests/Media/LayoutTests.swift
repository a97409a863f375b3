import Foundation
import Platform
import ScreenBroadcast
import TestSupport
import Testing

extension EndToEndTests {
  /// The article's layout between the two programs, and the inspection of files in use.
  @MainActor @Suite struct LayoutTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private var recording: String { sandbox.folder.appending(path: "frames.y4m").path }

    /// Waits until a watch has written `count` more frames of 160x120.
    private func framesAreWritten(_ count: Int) async throws {
      func size() throws -> Int { try FileStatus.read(at: recording)?.byteCount ?? 0 }
      let before = try size()
      try await eventually("\(count) frames in the file") {
        try size() >= before + count * ("FRAME\n".utf8.count + 160 * 120 * 3 / 2)
      }
    }

    @Test func framesOfTheArticlesLayoutArriveAndRepeat() async throws {
      let pace = PaceMeter(allowing: .milliseconds(30))
      let watcher = try await sandbox.readyWatcher(
        "--layout", "article", "--verify", "--poll-fps", "60", "--status-interval", "0.02", "--once", "--y4m",
        recording)
      let producer = try sandbox.producer(
        "--layout", "article", "--pattern", "proof", "--fps", "20", "--orientation", "left")
      try await framesAreWritten(60)
      try await producer.endsInOrder()
      let code = try await watcher.exitCode()
      let summary = try #require(try watcher.events("summary").last)
      let torn = try unproven(summary)
      let verified = try #require(summary.integer("framesVerified"))
      let repeated = try #require(summary.integer("framesRepeated"))
      #expect(summary.integer("framesDelivered") == verified + torn)
      #expect(summary.number("ageMs.max") == 0)
      #expect(code == (torn == 0 ? 0 : 65))
      // A torn frame may have another one.
      #expect(try watcher.events("format").contains { $0.integer("orientation") == 8 })
      #expect(!FileManager.default.fileExists(atPath: sandbox.container.articleFile))
      try pace.expect {
        #expect(verified > 10)
        // Three polls per frame: most deliver a frame again, which the number in its pixels shows.
        #expect(repeated > verified / 3)
      }
    }

    @Test func afterACrashTheArticlesLayoutRepeatsTheLastFrame() async throws {
      let watcher = try await sandbox.readyWatcher(
        "--layout", "article", "--verify", "--poll-fps", "60", "--status-interval", "0.02", "--y4m", recording
      )
      let producer = try sandbox.producer("--layout", "article", "--pattern", "proof")
      try await watcher.event("format")
      producer.send(SIGKILL)
      try await watcher.event("crashed")
      try await framesAreWritten(40)
      watcher.send(SIGTERM)
      let code = try await watcher.exitCode()
      let summary = try #require(try watcher.events("summary").last)
      let torn = try unproven(summary)
      // A frame that was left behind torn is so at every poll.
      #expect(try #require(summary.integer("framesRepeated")) > 30 || torn > 30)
      #expect(code == (torn == 0 ? 75 : 65))
    }

    @Test func aWatchAfterACrashInTheArticlesLayoutTakesTheFrameThatIsLeftForNoBroadcast() async throws {
      let producer = try sandbox.producer("--layout", "article", "--pattern", "proof")
      let first = try sandbox.watcher("--layout", "article", "--frames", "1")
      #expect(try await first.exitCode() == 0, "\(first.errors)")
      producer.send(SIGKILL)
      #expect(try await producer.end() == .signal(SIGKILL))
      let watcher = try sandbox.watcher("--layout", "article", "--verify", "--frames", "40")
      let code = try await watcher.exitCode()
      #expect(try watcher.events("crashed").map { $0.integer("pid") } == [Int(producer.pid)])
      let summary = try #require(try watcher.events("summary").last)
      #expect(summary.integer("framesDelivered") == 40)
      #expect(try summary.integer("framesRepeated") == 39 || unproven(summary) == 40)
      #expect(code == (try unproven(summary) == 0 ? 75 : 65))
    }

    /// The frames that failed the verification: a tear may also hide the pattern.
    private func unproven(_ summary: ProgramEvent) throws -> Int {
      try #require(summary.integer("framesTorn")) + #require(summary.integer("framesWithoutProof"))
    }

    @Test func theDoctorRecognisesTheArticlesFile() async throws {
      let producer = try await sandbox.startedProducer("--layout", "article")
      let live = try await sandbox.consumer("doctor").program.events()
      #expect(!live.contains { $0.text("severity") == "problem" }, "\(live)")
      #expect(live.contains { $0.text("description")?.contains("the layout 'article'") == true })
      producer.send(SIGKILL)
      producer.process.kill()
      let orphaned = try await sandbox.consumer("doctor", "--fix").program.events()
      let leftover = orphaned.first { $0.text("kind") == "leftoverRing" }
      #expect(leftover?.text("path") == sandbox.container.articleFile && leftover?.boolean("fixed") == true)
      #expect(!FileManager.default.fileExists(atPath: sandbox.container.articleFile))
    }

    @Test func framesTooLargeForTheArticlesLayoutAreRefusedAtTheStart() async throws {
      let producer = try sandbox.producer("--layout", "article", "--size", "4096x2160")
      #expect(try await producer.exitCode() == 73)
      #expect(producer.errors.contains("4096x2160 do not fit into the 10 MiB"))
    }

    @Test func inspectReadsAFileInUseAndWritesItsFrame() async throws {
      let clip = sandbox.folder.appending(path: "clip.y4m")
      try Clip(width: 64, height: 32, frameCount: 1).data().write(to: clip)
      _ = try await sandbox.producer(
        "--source", "y4m:\(clip.path)", "--loop", "--orientation", "left"
      ).event("started")
      let snapshot = sandbox.folder.appending(path: "snapshot.png")
      var inspected: Sandbox.Finished?
      // Before the first frame the file is well-formed, and there is no snapshot.
      for _ in 0..<100 where !FileManager.default.fileExists(atPath: snapshot.path) {
        inspected = try await sandbox.run(
          BuiltPrograms.consumer,
          ["inspect", sandbox.container.framesFile, "--json", "--snapshot", snapshot.path])
      }
      let result = try #require(inspected)
      #expect(result.exitCode == 0, "\(result.errors)")
      let events = try result.program.events()
      let event = try #require(events.first)
      try EventDocument().expect(events, of: "consumer")
      #expect(event.text("format") == "ring" && event.boolean("wellFormed") == true)
      #expect(event.integer("width") == 64 && event.integer("height") == 32)
      #expect(event.integer("orientation") == 8)
      let png = try PNGDecoder(Array(Data(contentsOf: snapshot)))
      #expect(png.width == 32 && png.height == 64)
      // All samples have the lowest value, which is green. The lowest chroma is 1: (0.187324 + 0.468124) × 127 = 83.
      #expect(
        Set(stride(from: 0, to: png.rgb.count, by: 3).map { Array(png.rgb[$0..<$0 + 3]) }) == [[0, 83, 0]])
    }

    @Test func inspectExitsWith65ForAnUnknownFormatAnd74ForAMissingFile() async throws {
      let file = sandbox.folder.appending(path: "notes.txt")
      try Data("nothing of the kind".utf8).write(to: file)
      let unknown = try await sandbox.run(BuiltPrograms.consumer, ["inspect", file.path])
      #expect(unknown.exitCode == 65)
      #expect(String(decoding: unknown.output, as: UTF8.self).hasPrefix("Format: none of the known ones.\n"))
      #expect(unknown.errors.contains("begin like none of the known formats"))
      let missing = try await sandbox.run(BuiltPrograms.consumer, ["inspect", file.path + ".missing"])
      #expect(missing.exitCode == 74)
      #expect(missing.output.isEmpty && missing.errors.contains("notes.txt.missing"))
    }
  }
}
