import Causes
import ScreenBroadcast
import SharedMemory
import TestPatterns
import TestSupport

@testable import EmulatedSystem

@MainActor @Suite struct ProducerReporterTests {
  private static let progress = {
    var total = SecondEvent(seconds: 10, framesDelivered: 601)
    (total.framesLeftOut, total.framesLate) = (1, 1)
    var progress = BroadcastProgress(total: total, framesSpan: .seconds(10))
    progress.lateTicks = 3
    return progress
  }()

  /// Returns the text, errors and JSON lines that a reporter writes in `use`.
  private func outcome(
    machines: Bool = false, drawsLive: Bool = false,
    of extensionMemory: ExtensionMemory = ExtensionMemory(),
    _ use: (ProducerReporter) -> Void
  ) throws -> (text: String, errors: String, lines: [[String: Any]]) {
    let (messages, errors, lines) = (CollectedStream(), CollectedStream(), CollectedStream())
    let content = try ScreenContent.pattern(
      .bars, size: PixelSize(width: 1080, height: 720), pixelFormat: fullRange, framesPerSecond: 60)
    let reporter = ProducerReporter(
      console: Console(messages: messages.stream, errors: errors.stream, drawsLive: drawsLive),
      lines: machines ? JSONLines(to: lines.stream) : nil,
      screen: try EmulatedScreen(content: content, pixelFormat: fullRange), container: "/c/group.a.b",
      memory: extensionMemory
    ) { RingSession(id: 255, processID: 1, startTime: 2) }
    use(reporter)
    let objects = try lines.text().split(separator: "\n").map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    return (try messages.text(), try errors.text(), objects)
  }

  private func finish(_ reporter: ProducerReporter, _ ending: BroadcastEnding) {
    reporter.lastSecond(Self.progress)
    reporter.report(.finished(ending, BroadcastEnd(ending, Self.progress)))
  }

  @Test func theConsoleShowsTheArithmeticThenEveryEventAndTheCounts() throws {
    let (text, errors, _) = try outcome { reporter in
      reporter.report(.started)
      reporter.report(.paused)
      reporter.report(.resumed)
      finish(reporter, .durationReached)
    }
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "Broadcasting 1080x720 at 60 fps, 420f")
    #expect(lines[1].hasSuffix(", container /c/group.a.b"))
    #expect(
      lines.suffix(7).dropLast() == [
        "Paused.", "Resumed.", "The broadcast ended after its duration.",
        "601 frames in 10.0 s = 60.00 fps, 2 dropped, 3 late ticks",
        "1 frame was skipped: an event requested it, or its burst did not fit the queue.",
        "1 frame was not drawn: the main thread of the extension was busy, and the emulated screen waits for that thread.",
      ])
    #expect(lines.last?.hasPrefix("Memory at its peak: ") == true)
    #expect(errors.isEmpty)
  }

  @Test func everyEventIsOneJSONObject() throws {
    let (_, _, lines) = try outcome(machines: true) { reporter in
      reporter.report(.started)
      reporter.report(.paused)
      reporter.report(.resumed)
      finish(reporter, .byExtension(RecordingHandler.error(1)))
    }
    #expect(
      lines.map { $0["event"] as? String } == [
        "started", "paused", "resumed", "second", "memory", "finished",
      ])
    #expect(
      Set(lines[0].keys) == [
        "event", "pid", "session", "container", "width", "height", "pixelFormat", "bytesPerRow", "fps",
        "bitRate",
      ])
    let started: NSDictionary = ["session": "ff", "pixelFormat": "420f", "bitRate": 559_872_000]
    #expect(lines[0].filter { started[$0.key] != nil } as NSDictionary == started)
    #expect(lines[4]["budgetBytes"] as? Int == 50 << 20 && lines[4]["footprintBytes"] as? Int ?? 0 > 0)
    let finished: NSDictionary = [
      "reason": "stoppedByApp", "errorDomain": "ScreenShareBroadcastExtension", "errorCode": 1,
      "errorDescription": "Broadcast completed", "framesProduced": 601, "framesDropped": 2, "lateTicks": 3,
      "seconds": 10,
    ]
    #expect(lines[5].filter { finished[$0.key] != nil } as NSDictionary == finished)
  }

  @Test func anEndingWithoutAnErrorHasNoErrorKeys() throws {
    let (_, _, lines) = try outcome(machines: true) { finish($0, .bySystem) }
    #expect(Set(lines[0].keys).isDisjoint(with: ["errorDomain", "errorCode", "errorDescription"]))
  }

  @Test func theConsoleShowsNothingOfARefusedStart() throws {
    let refused = BroadcastEnding.byExtension(
      RecordingHandler.error(2, underlying: FileError(.held(by: 7), "lock")))
    let (text, errors, lines) = try outcome(machines: true) { finish($0, refused) }
    #expect(text.isEmpty && errors.isEmpty)
    #expect(lines.map { $0["event"] as? String } == ["finished"])
    #expect(lines.first?["reason"] as? String == "extensionError")
  }

  @Test func theLiveLineFits80ColumnsEvenAfterElevenDays() throws {
    var total = SecondEvent(seconds: 1_000_000, framesDelivered: 240_000_000)
    total.framesLate = 9_999_999
    var long = BroadcastProgress(total: total, framesSpan: .seconds(1_000_000))
    long.lateTicks = 9_999_999
    // The extension's memory is 0 here. Under a limit it can have one digit more.
    let memory = ExtensionMemory { SystemMemory(other: 1 << 50) }
    let (text, _, _) = try outcome(drawsLive: true, of: memory) { _ = $0.second(long) }
    #expect(text.hasPrefix("\r16666:40 live  240.0/60 fps  memory 0.0/50 MiB"))
    #expect(text.contains(" late"))
    #expect(text.drop { $0 == "\r" }.prefix { $0 != "\u{1B}" }.count < 79)
  }

  @Test func theLiveLineShowsTheRateSinceTheLastOneAndNoneInAPause() throws {
    var later = Self.progress
    (later.total.framesDelivered, later.total.seconds, later.paused) = (631, 12, .seconds(1))
    let (text, _, _) = try outcome(drawsLive: true) { reporter in
      _ = reporter.second(Self.progress)
      _ = reporter.second(later)
      reporter.report(.paused)
      _ = reporter.second(later)
    }
    #expect(text.contains("\r0:12 live  30.0/60 fps  memory") && text.contains("\r0:12 paused  memory"))
    #expect(text.contains(/fps {2}memory [0-9]+\.[0-9]\/50 MiB {2}2 dropped {2}3 late/))
  }
}
