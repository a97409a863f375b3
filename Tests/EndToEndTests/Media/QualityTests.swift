import Foundation
import TestSupport
import Testing

extension EndToEndTests {
  /// `consumer quality` on a recording of a broadcast.
  @MainActor @Suite struct QualityTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// The frames of a broadcast as its app recorded them.
    private func record() async throws -> URL {
      let file = sandbox.folder.appending(path: "sent.y4m")
      let watcher = try await sandbox.readyWatcher("--y4m", file.path, "--frames", "10")
      _ = try sandbox.producer("--fps", "10")
      try #require(try await watcher.exitCode() == 0, "\(watcher.errors)")
      return file
    }

    private func quality(_ arguments: String...) async throws -> Sandbox.Finished {
      try await sandbox.finished(try sandbox.launch(BuiltPrograms.consumer, ["quality"] + arguments))
    }

    @Test func aCoarseRecordingFailsBelowTheLimitAndLeavesAReport() async throws {
      let sent = try await record()
      let equal = try await quality(sent.path, sent.path, "--json", "--min-psnr", "48", "--min-ssim", "1")
      #expect(equal.exitCode == 0, "\(equal.errors)")
      let event = try #require(try equal.program.events("quality").first)
      try EventDocument().expect([event], of: "consumer")
      #expect(event.text("matchedBy") == "number" && event.number("psnr.mean") == 48)
      #expect(try #require(event.integer("compared")) >= 5 && event.integer("missing") == 0)

      // The lowest bits of all samples are lost.
      let coarse = sandbox.folder.appending(path: "received.y4m")
      var bytes = try Data(contentsOf: sent)
      let frame = try #require(bytes.firstRange(of: Data("FRAME\n".utf8)))
      for index in frame.upperBound..<frame.upperBound + 160 * 120 * 3 / 2 { bytes[index] &= 0xE0 }
      try bytes.write(to: coarse)
      let (page, junit) = (
        sandbox.folder.appending(path: "r.html"), sandbox.folder.appending(path: "r.xml")
      )
      let failed = try await quality(
        sent.path, coarse.path, "--min-psnr", "47.5", "--report", page.path, "--junit", junit.path)
      #expect(failed.exitCode == 65)
      #expect(failed.errors.contains("received.y4m is too coarse. psnr: The mean is "))
      let text = String(decoding: failed.output, as: UTF8.self)
      #expect(text.contains("max_skipped   0") && text.contains("worst         frame 0 (number "))
      #expect(try String(contentsOf: page, encoding: .utf8).contains("Lowest PSNR, reference."))
      #expect(try String(contentsOf: junit, encoding: .utf8).contains("name=\"psnr\""))
    }

    @Test func aWrongCallNamesTheFileAndTheWayOut() async throws {
      let sent = try await record()
      let folder = sandbox.folder
      for (arguments, code, sentence) in [
        ([sent.path], Int32(64), "'quality' expects the decoded recording"),
        ([sent.path, sent.path, "third"], 64, "leave out 'third'"),
        ([sent.path, folder.appending(path: "none").path], 74, "none does not exist; name a Y4M file"),
        ([sent.path, "/dev/null"], 65, "/dev/null is not a Y4M stream"),
        ([sent.path, sent.path, "--report", "/none/r.html"], 74, "its folder does not exist"),
      ] {
        let finished = try await sandbox.finished(
          try sandbox.launch(BuiltPrograms.consumer, ["quality"] + arguments))
        #expect(finished.exitCode == code, "\(arguments)")
        #expect(finished.errors.contains(sentence), "\(finished.errors)")
      }
    }
  }
}
