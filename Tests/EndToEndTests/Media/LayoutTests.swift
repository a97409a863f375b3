import ScreenBroadcast
import TestSupport

extension EndToEndTests {
  /// The article's layout between the two programs.
  @MainActor @Suite struct LayoutTests {
    let sandbox = Sandbox.ofSuite()

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
      // A tear may also hide the pattern.
      let torn = try #require(summary.integer("framesTorn")) + #require(summary.integer("framesWithoutProof"))
      let verified = try #require(summary.integer("framesVerified"))
      let repeated = try #require(summary.integer("framesRepeated"))
      #expect((summary.integer("framesDelivered"), summary.number("ageMs.max")) == (verified + torn, 0))
      #expect(code == (torn == 0 ? 0 : 65))
      // A torn frame may have another orientation.
      #expect(try watcher.events("format").contains { $0.integer("orientation") == 8 })
      #expect(!FileManager.default.fileExists(atPath: sandbox.container.articleFile))
      try pace.expect {
        #expect(verified > 10)
        // With three polls per frame, most polls deliver a frame again. The number in the pixels shows it.
        #expect(repeated > verified / 3)
      }
    }

    @Test func theDoctorRecognisesTheArticlesFile() async throws {
      let producer = try await sandbox.startedProducer("--layout", "article")
      let live = try await sandbox.doctor().program.events()
      #expect(!live.contains { $0.text("severity") == "problem" }, "\(live)")
      #expect(live.contains { $0.text("description")?.contains("the layout 'article'") == true })
      producer.send(SIGKILL)
      producer.process.kill()
      let orphaned = try await sandbox.doctor("--fix").program.events()
      let leftover = orphaned.first { $0.text("kind") == "leftoverRing" }
      #expect(leftover?.text("path") == sandbox.container.articleFile && leftover?.boolean("fixed") == true)
      #expect(!FileManager.default.fileExists(atPath: sandbox.container.articleFile))
    }
  }
}
