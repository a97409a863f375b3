import CommandLineSupport
import EmulatedSystem
import Foundation
import ReplayKit
import TestSupport
import Testing

@testable import BroadcastExtension

@MainActor @Suite struct ExtensionAudioTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  private func audio(_ arguments: String...) throws -> [EmulatedAudio] {
    guard case .run(let options) = try ProducerOptions.parse(arguments) else { return [] }
    return try options.audio { Issue.record("\($0)") }
  }

  @Test func theOptionsChooseTheAudioStreams() throws {
    let usual = try audio()
    #expect(usual.map(\.type) == [.audioApp] && usual[0].content == nil)
    #expect(try audio("--app-audio", "off").isEmpty)
    #expect(try audio("--trace", "phone.jsonl").isEmpty)
    let both = try audio("--mic", "silence", "--app-audio", "tone", "--ios", "12")
    #expect(both.map(\.type) == [.audioApp, .audioMic])
    #expect(both.map(\.framesPerPacket) == [22_596, 1_024])
    #expect(both[0].content is ToneContent && both[1].content == nil)
  }

  @Test func anUnreadableAudioFileHasAnExitCode() throws {
    let path = folder.appending(path: "a.wav").path
    let failure = #expect(throws: ProgramFailure.self) { try audio("--mic", "wav:\(path)") }
    #expect(failure?.exitCode == .inputOutput)
    try Data("no audio".utf8).write(to: URL(filePath: path))
    let other = #expect(throws: ProgramFailure.self) { try audio("--app-audio", "wav:\(path)") }
    #expect(other?.exitCode == .inputOutput && other.map { "\($0)".contains(path) } == true)
  }
}
