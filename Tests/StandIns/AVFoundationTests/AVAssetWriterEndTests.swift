import TestSupport
import VideoToolbox

@testable import AVFoundation

/// Tests writers that are finished twice or cancelled, and writers whose encoder hangs or fails with a message.
@Suite(.sharedMachine) struct AVAssetWriterEndTests {
  private let folder = TemporaryFolder.ofSuite(ofPrograms: true)

  /// Returns an H.264 writer whose encoder is a script, and the writer's input.
  private static func makeWriter(
    _ script: String, in folder: TemporaryFolder, waitLimit: Duration = .milliseconds(200)
  ) throws -> (AVAssetWriter, AVAssetWriterInput) {
    try makeShellScript(script, at: folder("ffmpeg"))
    let writer = try AVAssetWriter(outputURL: URL(filePath: folder("movie.mp4")), fileType: .mp4)
    let input = videoInput()
    writer.add(input)
    #expect(
      writer.startWriting(by: EncoderProgram(url: URL(filePath: folder("ffmpeg")), waitLimit: waitLimit)))
    writer.startSession(atSourceTime: .zero)
    return (writer, input)
  }

  /// An encoder that reads all input, and then writes a file.
  private static let working =
    #"cat >/dev/null; for file; do :; done; case "$file" in file:*) echo >"${file#file:}"; esac"#

  private static func expectException(_ status: Int, _ output: [UInt8]?) {
    let text = String(decoding: output ?? [], as: UTF8.self)
    let wanted =
      "[AVAssetWriter finishWritingWithCompletionHandler:] Cannot call method when status is \(status)"
    #expect(text.contains(wanted), "\(text)")
  }

  @Test func aSecondFinishIsAnException() async throws {
    let during = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder.ofPrograms()
      let (writer, input) = try Self.makeWriter("exec sleep 600", in: folder, waitLimit: .seconds(600))
      input.append(try videoSample(0, at: .zero))
      writer.finishWriting {}
      writer.finishWriting {}
    }
    Self.expectException(1, during?.standardErrorContent)
    let after = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let folder = try TemporaryFolder.ofPrograms()
      let (writer, input) = try Self.makeWriter(Self.working, in: folder, waitLimit: .seconds(60))
      input.append(try videoSample(0, at: .zero))
      await writer.finishWriting()
      #expect(writer.status == .completed)
      writer.finishWriting {}
    }
    Self.expectException(2, after?.standardErrorContent)
  }

  @Test func aWriterThatFailedMayBeFinishedTwice() async throws {
    let (writer, input) = try Self.makeWriter("exit 1", in: folder)
    input.append(try videoSample(0, at: .zero))
    await writer.finishWriting()
    await writer.finishWriting()
    #expect(writer.status == .failed)
  }

  /// Programs that read nothing, that read all input and do not exit, and that are suspended. The narrow image fits into the
  /// socket's buffer, the wide image does not.
  @Test(arguments: ["exec sleep 600", "cat >/dev/null; exec sleep 600", "kill -STOP $$"], [160, 1280])
  func anEncoderThatHangsFailsTheWriter(script: String, width: Int) async throws {
    // On an overloaded host, the shell of a script may work for seconds before the script is idle.
    let (writer, input) = try Self.makeWriter(script, in: folder, waitLimit: .milliseconds(500))
    input.append(try videoSample(0, at: .zero, width: width, height: width * 3 / 4))
    await writer.finishWriting()
    #expect(writer.status == .failed && (writer.error as? AVError)?.code == .encodeFailed)
    let reason = (writer.error as? AVError)?.failureReason ?? ""
    #expect(
      reason.hasPrefix("ffmpeg (process ")
        && reason.hasSuffix(") has neither read nor written data for 0.5 s, and is killed"), "\(reason)")
  }

  @Test(arguments: [
    ("echo 'Unknown encoder.' >&2; exit 1", "ffmpeg says 'Unknown encoder.'"),
    ("head -c 20000 >/dev/null; echo died >&2; exit 1", "ffmpeg says 'died'"),
    ("exit 1", "failed without a message"),
  ]) func theErrorHasTheMessageOfTheEncoder(script: String, message: String) async throws {
    let (writer, input) = try Self.makeWriter(script, in: folder, waitLimit: .seconds(60))
    input.append(try videoSample(0, at: .zero, width: 1280, height: 960))
    await writer.finishWriting()
    let reason = (writer.error as? AVError)?.failureReason ?? ""
    #expect(reason.hasSuffix(message), "\(reason)")
  }

  @Test func aFileThatIsNoProgramIsNamed() async throws {
    let (writer, input) = try Self.makeWriter("", in: folder)
    try makeProgram("no program", at: folder("ffmpeg"))
    input.append(try videoSample(0, at: .zero))
    await writer.finishWriting()
    let reason = (writer.error as? AVError)?.failureReason ?? ""
    #expect(reason == "\(folder("ffmpeg")) cannot be started: exec format error")
  }

  @Test func cancellingWithoutInputsRemovesTheFile() throws {
    try makeShellScript("", at: folder("ffmpeg"))
    let writer = try AVAssetWriter(outputURL: URL(filePath: folder("movie.mp4")), fileType: .mp4)
    #expect(writer.startWriting(by: EncoderProgram(url: URL(filePath: folder("ffmpeg")))))
    #expect(folder.names == ["ffmpeg", "movie.mp4"])
    writer.cancelWriting()
    #expect(writer.status == .cancelled && folder.names == ["ffmpeg"])
  }

  /// The writer is cancelled while the movie is written.
  @Test func cancellingAFinishRemovesTheFile() async throws {
    let script =
      #"cat >/dev/null; for file; do :; done; case "$file" in file:*) : >"$0.movie"; "#
      + #"while [ ! -e "$0.go" ]; do :; done; echo >"${file#file:}"; esac"#
    let (writer, input) = try Self.makeWriter(script, in: folder, waitLimit: .seconds(60))
    input.append(try videoSample(0, at: .zero))
    let (stream, end) = AsyncStream<Void>.makeStream()
    writer.finishWriting { end.finish() }
    #expect(await eventually { folder.names.contains("ffmpeg.movie") })
    async let cancelled: Void = Self.onThread { writer.cancelWriting() }
    #expect(await eventually { writer.status == .cancelled })
    try Data().write(to: URL(filePath: folder("ffmpeg.go")))
    await cancelled
    for await _ in stream {}
    #expect(writer.status == .cancelled && !folder.names.contains("movie.mp4"))
  }

  private static func onThread(_ body: @escaping @Sendable () -> Void) async {
    await withCheckedContinuation { continuation in
      Thread {
        body()
        continuation.resume()
      }.start()
    }
  }

  /// Counts the samples that are appended too early, by code that checks `isReadyForMoreMediaData` and by code that does not.
  @Test(arguments: [true, false]) func anAppendThatDoesNotWaitIsCounted(asks: Bool) async throws {
    await #expect(processExitsWith: .success) { [asks] in
      let folder = try TemporaryFolder.ofPrograms()
      // Code that does not check is counted before it waits for the encoder.
      let (writer, input) = try Self.makeWriter(
        "exec sleep 600", in: folder, waitLimit: .seconds(asks ? 60 : 1))
      let count = Mutex(0)
      AVAssetWriterRecord.onEvent.withLock {
        $0 = Callback { event in if case .earlyAppend = event { count.withLock { $0 += 1 } } }
      }
      for index in 0..<5 where !asks || input.isReadyForMoreMediaData {
        input.append(
          try videoSample(index, at: CMTime(value: CMTimeValue(index), timescale: 30), width: 1280))
      }
      writer.cancelWriting()
      let early = count.withLock(\.self)
      #expect(asks ? early == 0 : early > 0, "\(early)")
    }
  }

  @Test func writersThatHaveEndedKeepNoDescriptors() async throws {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder.ofPrograms()
      var before = 0
      for index in 0..<12 {
        if index == 2 { before = try descriptorCount() }
        let (writer, input) = try Self.makeWriter(Self.working, in: folder, waitLimit: .seconds(60))
        input.append(try videoSample(0, at: .zero))
        await writer.finishWriting()
        #expect(writer.status == .completed)
        try FileManager.default.removeItem(atPath: folder("movie.mp4"))
      }
      try await expectNoNewDescriptors(since: before)
    }
  }
}
