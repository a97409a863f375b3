import EmulatedSystem
import ReplayKit
import TestSupport

@testable import BroadcastExtension

@MainActor @Suite struct ExtensionAudioTests {
  private func audio(_ line: String) throws -> [EmulatedAudio] {
    try ProducerOptions.program.options(line).audio
  }

  @Test func theOptionsChooseTheAudioStreams() throws {
    let usual = try audio("")
    #expect(usual.map(\.type) == [.audioApp] && usual[0].content == nil)
    #expect(try audio("--app-audio off").isEmpty && audio("--trace phone.jsonl").isEmpty)
    let both = try audio("--mic silence --app-audio tone --ios 12")
    #expect((both.map(\.type), both.map(\.framesPerPacket)) == ([.audioApp, .audioMic], [22_596, 1_024]))
    #expect(both[0].content != nil && both[1].content == nil)
  }
}
