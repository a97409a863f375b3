import CommandLineSupport
import EmulatedSystem
import ReplayKit
import Testing

@testable import BroadcastExtension

@MainActor @Suite struct ExtensionAudioTests {
  private func audio(_ arguments: String...) throws -> [EmulatedAudio] {
    guard case .run(let options) = try ProducerOptions.parse(arguments) else { return [] }
    return options.audio
  }

  @Test func theOptionsChooseTheAudioStreams() throws {
    let usual = try audio()
    #expect(usual.map(\.type) == [.audioApp] && usual[0].content == nil)
    #expect(try audio("--app-audio", "off").isEmpty)
    #expect(try audio("--trace", "phone.jsonl").isEmpty)
    let both = try audio("--mic", "silence", "--app-audio", "tone", "--ios", "12")
    #expect(both.map(\.type) == [.audioApp, .audioMic])
    #expect(both.map(\.framesPerPacket) == [22_596, 1_024])
    #expect(both[0].content != nil && both[1].content == nil)
  }
}
