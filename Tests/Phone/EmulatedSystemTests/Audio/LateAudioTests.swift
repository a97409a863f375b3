import Causes
import ReplayKit
import TestPatterns
import TestSupport

@testable import EmulatedSystem

/// Tests audio on an overloaded host: every late packet is delivered, or counted as dropped.
@MainActor @Suite struct LateAudioTests {
  /// Creates a rig with both streams. After half a second they have 21 (app) and 23 (microphone) complete packets.
  private func makeRig() throws -> SystemRig {
    try SystemRig(audio: [
      EmulatedAudio(type: .audioApp, content: nil), EmulatedAudio(type: .audioMic, content: nil),
    ])
  }

  private func audioCalls(of rig: SystemRig) -> UInt64 { UInt64(rig.handler.calls.count { $0 == "audio" }) }

  /// Blocks the handler in a call until the returned semaphore is signalled. The call has begun when this returns, so the
  /// test may advance the clock.
  private func blockHandler(of rig: SystemRig) async -> DispatchSemaphore {
    let end = DispatchSemaphore(value: 0)
    rig.system.delivery.call { _ in end.wait() }
    #expect(await eventually { !rig.system.delivery.isWaitingForThread })
    return end
  }

  @Test(arguments: [false, true])
  func everyPacketIsDeliveredOrCountedAtTheEndOrAPause(isPaused: Bool) async throws {
    let rig = try makeRig()
    await rig.start()
    rig.clock.advance(by: .milliseconds(500))
    if isPaused {
      rig.system.perform("pause")
      rig.clock.advance(by: .seconds(10))
      rig.system.perform("resume")
    }
    await rig.stop()
    let dropped = try #require(rig.end?.audioDropped)
    #expect(audioCalls(of: rig) >= 4)
    #expect(audioCalls(of: rig) + dropped == 21 + 23)
  }

  /// The main queue gets CPU time before the handler's queue does, and runs two checks back to back.
  @Test func audioWaitsForAHandlerThatHadNoTimeEither() async throws {
    let rig = try makeRig()
    await rig.start()
    let handlerHasTime = await blockHandler(of: rig)
    rig.check(after: .milliseconds(70))
    rig.eventTimer.tick()
    handlerHasTime.signal()
    await rig.settle()
    rig.eventTimer.tick()
    await rig.stop()
    #expect((audioCalls(of: rig), rig.end?.audioDropped) == (3 + 3, 0))
  }

  /// If there is room for all packets, the streams keep their order.
  @Test(arguments: [(1, [1, 1]), (2, [2, 2]), (3, [3, 3]), (5, [4, 4])] as [(Int, [UInt64])])
  func streamsTakeTurnsWhereASlowHandlerLeavesRoomForOne(room: Int, counts: [UInt64]) throws {
    let rig = try makeRig()
    var streams = rig.system.audio
    for stream in streams { stream.start(at: rig.clock.now) }
    for _ in 0..<2 {
      rig.clock.advance(by: .milliseconds(200))
      rig.system.delivery.offer(&streams, until: rig.clock.now, room: room)
    }
    for stream in streams { stream.leaveOutPackets(until: rig.clock.now) }
    // By then, app audio has 17 complete packets, and the microphone 18.
    let order = streams.map(\.type) == [.audioApp, .audioMic] ? streams : streams.reversed()
    #expect(order.map(\.packetsSkipped) == [17 - counts[0], 18 - counts[1]])
  }

  @Test func audioWaitsForAHandlerWhoseThreadStartsLate() async throws {
    let rig = try makeRig()
    await rig.start()
    rig.time.delivery.suspend()
    rig.check(after: .milliseconds(10), 15)
    rig.time.delivery.resume()
    for _ in 0..<3 {
      await rig.settle()
      rig.eventTimer.tick()
    }
    await rig.stop()
    #expect((audioCalls(of: rig), rig.end?.audioDropped) == (6 + 7, 0))
  }

  @Test(arguments: [true, false])
  func aHandlerThatHadNoProcessorLosesNoAudio(isMachineLate: Bool) async throws {
    let rig = try makeRig()
    await rig.start()
    let handlerHasReturned = await blockHandler(of: rig)
    rig.check(after: .milliseconds(10), 15)
    if isMachineLate { rig.time.processorDelays.add(.milliseconds(140)) }
    handlerHasReturned.signal()
    for _ in 0..<4 {
      await rig.settle()
      rig.eventTimer.tick()
    }
    await rig.stop()
    let expected: (UInt64, UInt64?) = isMachineLate ? (6 + 7, 0) : (5, 8)
    #expect((audioCalls(of: rig), rig.end?.audioDropped) == expected)
  }

  /// A handler that does not return loses audio, as on a phone. An earlier delay of the emulator does not reduce the loss.
  @Test(arguments: [Duration.zero, .milliseconds(100)])
  func aHandlerThatDoesNotReturnLosesAudio(after late: Duration) async throws {
    let rig = try makeRig()
    await rig.start()
    let handlerHasReturned = await blockHandler(of: rig)
    rig.check(after: late)
    rig.check(after: .milliseconds(10), 50)
    handlerHasReturned.signal()
    await rig.stop()
    let produced: UInt64 = late == .zero ? 21 + 23 : 25 + 28
    #expect((audioCalls(of: rig), rig.end?.audioDropped) == (5, produced - 5))
  }

  /// Generating the first packet takes so long that the second one is complete by then. The second packet is not late.
  @Test func aPacketThatIsCompleteDuringTheEndIsNotDropped() async throws {
    weak var clock: TestClock?
    let audio = EmulatedAudio(type: .audioMic) { _, count, channelCount, _ in
      // Longer than a packet.
      clock?.advance(by: .milliseconds(30))
      return Array(repeating: 0, count: count * channelCount)
    }
    let rig = try SystemRig(audio: [audio])
    clock = rig.clock
    await rig.start()
    rig.clock.advance(by: .milliseconds(25))
    await rig.stop()
    #expect((audioCalls(of: rig), rig.end?.audioDropped) == (1, 0))
  }
}
