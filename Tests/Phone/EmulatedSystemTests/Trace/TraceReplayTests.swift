import Causes
import CoreMedia
import RunReports
import TestSupport

@testable import EmulatedSystem

/// Tests that a replayed trace delivers its calls, times and shapes to the handler.
@MainActor @Suite struct TraceReplayTests {
  /// Replays a trace in steps of 20 ms, and returns the rig at its end.
  private func replay(_ trace: Trace) async throws -> SystemRig {
    let rig = try SystemRig(content: nil, trace: trace, records: true)
    await rig.start()
    for _ in 0..<1_000 where rig.end == nil { await rig.tick() }
    return rig
  }

  @Test func theHandlerGetsTheCallsAndSamplesOfTheTrace() async throws {
    let rig = try await replay(Traces.phone())
    #expect(
      rig.handler.calls == [
        "started", "video", "audio", "video", "annotated com.example.game", "audio", "audio", "paused",
        "resumed", "video", "video", "video", "video", "audio", "finished",
      ])
    #expect(
      rig.handler.shapes == [
        [64, 48, 64], [64, 48, 64], [64, 48, 64], [48, 64, 72], [48, 64, 64], [33, 47, 64],
      ])
    #expect(rig.handler.chromaBytesPerRow == [64, 64, 64, 66, 112, 64])
    // The list also contains audio packets, which have no orientation. Neither has the last frame.
    #expect(rig.handler.orientations.compactMap { $0 } == [1, 1, 8, 1, 1])
    let milliseconds: [Int64] = [95, 100, 135, 140, 160, 415, 435, 455, 475, 480]
    let offsets: [Int64] = [7, -3, 7, -3, -3, 7, 7, 7, 7, -3]
    // The clock of the rig begins at 1,000 ns.
    let times = zip(milliseconds, offsets).map { $0 * 1_000_000 + $1 + 1_000 }
    #expect((rig.handler.times, rig.events) == (times, ["started", "paused", "resumed", "finished"]))
    #expect(rig.end?.reason == "stoppedBySystem")
    #expect(rig.end?.framesDropped == 0 && rig.end?.audioDropped == 0)
  }

  @Test func audioHasTheFormatAndTheBytesOfTheTrace() async throws {
    let packets = try await replay(Traces.phone()).handler.packets
    #expect(packets.map(\.format.mSampleRate) == [24_000, 24_000, 48_000, 44_100])
    #expect(packets.map(\.format.mFormatFlags) == [14, 14, 9, 44])
    #expect(packets.map(\.format.mBytesPerFrame) == [4, 4, 4, 3])
    #expect(packets.map(\.bytes.count) == [960 * 4, 960 * 4, 512 * 4, 441 * 3 * 2])
    // A tone: both channels are equal and far below full scale, so the high byte, which comes first, is near 0 or 255.
    let app = packets[1].bytes
    #expect(
      stride(from: 0, to: app.count, by: 4).allSatisfy { app[$0...($0 + 1)] == app[($0 + 2)...($0 + 3)] })
    #expect(
      stride(from: 0, to: app.count, by: 2).allSatisfy {
        [0, 255].contains(app[$0]) || app[$0] < 17 || app[$0] > 238
      })
    #expect(Set(app).count > 50)
    let microphone = packets[2].bytes
    let values = stride(from: 0, to: microphone.count, by: 4).map { (place: Int) -> Float in
      let bits = (0..<4).reduce(UInt32(0)) { $0 | UInt32(microphone[place + $1]) << UInt32(8 * $1) }
      return Float(bitPattern: bits)
    }
    #expect(values.allSatisfy { abs($0) < 0.6 } && values.contains { abs($0) > 0.05 })
    // The last packet is not interleaved, and the low byte of its samples is zero.
    let last = packets[3].bytes
    #expect(last.prefix(1323).elementsEqual(last.dropFirst(1323)))
    #expect(stride(from: 0, to: last.count, by: 3).allSatisfy { last[$0] == 0 })
  }

  @Test func whatIsRecordedIsTheTraceAndReplaysToTheSame() async throws {
    let trace = try Traces.phone()
    let first = try await replay(trace).recorded()
    let lines = Traces.linesFromStart(of: first)
    #expect(lines.map(\.call) == Traces.linesFromStart(of: trace).map(\.call))
    let second = try await replay(first).recorded()
    #expect(Traces.linesFromStart(of: second) == lines)
  }

  @Test(
    arguments: [
      (Traces.call("broadcastFinished", 40), "stoppedBySystem", "finished"),
      (Traces.call("finishBroadcastGracefully", 40), "endedByExtension", "video"),
      (
        Traces.call("finishBroadcastWithError", 40, #","domain":"D","code":7,"description":"Lost""#),
        "extensionError", "video"
      ),
      (nil, "endOfSource", "finished"),
    ] as [(String?, String, String)])
  func aTraceEndsAsThePhonesBroadcastDid(line: String?, reason: String, lastCall: String) async throws {
    let lines = [Traces.call("broadcastStarted", 0), Traces.video(20)] + (line.map { [$0] } ?? [])
    let rig = try await replay(Traces.trace(lines))
    #expect(await eventually { rig.end != nil })
    #expect((rig.end?.reason, rig.handler.calls.last) == (reason, lastCall))
    guard let error = rig.error else { return }
    #expect((error.domain, error.code, error.localizedDescription) == ("D", 7, "Lost"))
  }

  /// Returns a rig whose handler blocks in its first frame until `release` is called.
  private func busyRig(_ times: [Int]) throws -> (SystemRig, release: @Sendable () -> Void) {
    let lines =
      [Traces.call("broadcastStarted", 0), Traces.call("broadcastPaused", 10)] + times.map(Traces.video)
    let rig = try SystemRig(
      content: nil, trace: Traces.trace(lines + [Traces.call("broadcastFinished", 900)]))
    let gate = DispatchSemaphore(value: 0)
    rig.handler.onSample = { [handler = rig.handler] in if handler.times.count == 1 { gate.wait() } }
    return (rig, { gate.signal() })
  }

  @Test func aHandlerThatIsTooSlowMissesFrames() async throws {
    let (rig, release) = try busyRig(Array(repeating: 100, count: 8))
    await rig.start()
    rig.tick(after: .milliseconds(10))
    await rig.settle()
    rig.tick(after: .milliseconds(90))
    #expect(await eventually { rig.handler.times.count == 1 })
    rig.tick(after: .milliseconds(1))
    release()
    await rig.settle()
    rig.tick(after: .milliseconds(799))
    await rig.settle()
    let progress = try #require(rig.end)
    #expect(
      (5...6).contains(progress.framesProduced) && progress.framesProduced + progress.framesDropped == 8)
  }

  @Test func framesThatTheMachineDelayedWaitForTheHandler() async throws {
    let (rig, release) = try busyRig((0..<8).map { 100 + 20 * $0 })
    await rig.start()
    rig.tick(after: .milliseconds(10))
    rig.tick(after: .milliseconds(490))
    // The sixth or seventh frame does not fit into the queue, and is retried.
    #expect(rig.timer.interval == .milliseconds(1))
    release()
    await rig.settle()
    rig.tick(after: .milliseconds(1))
    await rig.settle()
    rig.tick(after: .milliseconds(400))
    await rig.settle()
    #expect((rig.end?.framesProduced, rig.end?.framesDropped) == (8, 0))
  }

  @Test func framesWaitForAHandlerWhoseThreadStartsLate() async throws {
    let (rig, release) = try busyRig(Array(repeating: 100, count: 8))
    release()
    await rig.start()
    rig.tick(after: .milliseconds(10))
    await rig.settle()
    rig.time.delivery.suspend()
    rig.tick(after: .milliseconds(90))
    for _ in 0..<30 {
      #expect(rig.timer.interval == .milliseconds(1))
      rig.tick(after: .milliseconds(1))
    }
    rig.time.delivery.resume()
    await rig.settle()
    rig.tick(after: .milliseconds(1))
    await rig.settle()
    rig.tick(after: .milliseconds(769))
    await rig.settle()
    #expect((rig.end?.framesProduced, rig.end?.framesDropped) == (8, 0))
  }

  @Test func eventsThatTheTraceDecidesAreRefused() async throws {
    let rig = try SystemRig(content: nil, trace: Traces.phone())
    await rig.start()
    rig.system.perform("rotate:left")
    rig.system.perform("slow:0")
    #expect(
      rig.events == [
        "started",
        "rotate:left refused: The trace determines this; leave the event out, or broadcast without --trace.",
        "slow:0",
      ])
    await rig.stop()
    #expect(rig.end?.reason == "stoppedBySystem")
  }
}
