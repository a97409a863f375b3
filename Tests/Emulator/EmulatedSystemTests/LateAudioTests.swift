import Platform
import ReplayKit
import TestSupport
import Testing

@testable import EmulatedSystem

/// On a busy machine audio is late; every packet is delivered, or counted as dropped.
@MainActor @Suite struct LateAudioTests {
  /// Both streams, which have 21 and 23 complete packets after half a second.
  private func makeRig() throws -> SystemRig {
    try SystemRig(audio: [
      EmulatedAudio(type: .audioApp, content: nil), EmulatedAudio(type: .audioMic, content: nil),
    ])
  }

  private func audioCalls(of rig: SystemRig) -> UInt64 { UInt64(rig.handler.calls.count { $0 == "audio" }) }

  @Test func everyPacketIsDeliveredOrCountedAtTheEnd() async throws {
    let rig = try makeRig()
    await rig.start()
    rig.clock.advance(by: .milliseconds(500))
    await rig.stop()
    let dropped = try #require(rig.report?.progress.audioDropped)
    #expect(audioCalls(of: rig) >= 4)
    #expect(audioCalls(of: rig) + dropped == 21 + 23)
  }

  @Test func everyPacketIsDeliveredOrCountedAtAPause() async throws {
    let rig = try makeRig()
    await rig.start()
    rig.clock.advance(by: .milliseconds(500))
    rig.system.perform("pause")
    rig.clock.advance(by: .seconds(10))
    rig.system.perform("resume")
    await rig.stop()
    let dropped = try #require(rig.report?.progress.audioDropped)
    #expect(audioCalls(of: rig) + dropped == 21 + 23)
  }
}
