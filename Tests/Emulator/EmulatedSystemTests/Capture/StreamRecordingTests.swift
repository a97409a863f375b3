import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import ScreenCapture
import TestPatterns
import TestSupport
import Testing

/// A stream that is recorded into a file, in real time.
@MainActor @Suite(.sharedMachine, .needs(.ffmpeg))
struct StreamRecordingTests {
  private final class Recording: NSObject, SCRecordingOutputDelegate, Sendable {
    let events = Recorder<String>()

    func recordingOutputDidStartRecording(_ recordingOutput: SCRecordingOutput) { events.add("started") }

    func recordingOutput(_ recordingOutput: SCRecordingOutput, didFailWithError error: any Error) {
      events.add("failed \(error)")
    }

    func recordingOutputDidFinishRecording(_ recordingOutput: SCRecordingOutput) { events.add("finished") }
  }

  private let app = ContentCaptureTests.App()
  private let delegate = Recording()
  private let folder: TemporaryFolder
  private let configuration = SCRecordingOutputConfiguration()
  private let capture: ContentCapture
  private let stream: SCStream

  init() async throws {
    folder = try TemporaryFolder()
    configuration.outputURL = URL(filePath: folder("movie.mp4"))
    let screen = try EmulatedScreen(
      content: .pattern(
        .bars, size: PixelSize(width: 160, height: 120), pixelFormat: fullRange, framesPerSecond: 60),
      pixelFormat: fullRange)
    var behaviour = ContentCapture.Behaviour()
    behaviour.turnsMicrophoneOn = true
    capture = ContentCapture(on: Device(), screen: screen, behaviour: behaviour)
    let picker = SCContentSharingPicker()
    picker.defaultConfiguration.showsMicrophoneControl = true
    capture.install(behind: picker)
    picker.add(app)
    picker.isActive = true
    picker.present()
    let filters = app.filters
    #expect(await eventually { !filters.values.isEmpty })
    let stream = SCStreamConfiguration()
    stream.capturesAudio = true
    self.stream = SCStream(
      filter: try #require(filters.values.last?.filter), configuration: stream, delegate: app)
    try await self.stream.startCapture()
  }

  /// Adds a recording to the running stream, and waits for half a second of it.
  private func record() async throws -> SCRecordingOutput {
    let output = SCRecordingOutput(configuration: configuration, delegate: delegate)
    try stream.addRecordingOutput(output)
    #expect(await eventually { output.recordedDuration.seconds > 0.5 })
    return output
  }

  @Test func theFileIsCompleteWhenTheRecordingIsRemoved() async throws {
    let output = try await record()
    #expect(throws: SCStreamError(.invalidParameter)) { try stream.addRecordingOutput(output) }
    try stream.removeRecordingOutput(output)
    #expect(await eventually { delegate.events.values == ["started", "finished"] })
    #expect(output.recordedFileSize > 1_000 && stream.isCapturing)
    let bytes = try Data(contentsOf: configuration.outputURL)
    // Boxes of MPEG-4: the kind of file, a track of video and one of audio.
    for word in ["ftyp", "avc1", "mp4a"] { #expect(bytes.range(of: Data(word.utf8)) != nil, "\(word)") }
  }

  @Test(arguments: [nil, false])
  func soundAndMicrophoneAreOneTrackUnlessTheyAreWantedApart(mixes: Bool?) async throws {
    #expect(configuration.mixesAudioWithMicrophone)
    if let mixes { configuration.mixesAudioWithMicrophone = mixes }
    try stream.removeRecordingOutput(try await record())
    #expect(await eventually { delegate.events.values == ["started", "finished"] })
    let bytes = try Data(contentsOf: configuration.outputURL)
    #expect(bytes.ranges(of: Data("mp4a".utf8)).count == (mixes == nil ? 1 : 2))
  }

  @Test func aSecondRecordingIsRefusedAndTheFirstContinues() async throws {
    let output = try await record()
    let other = SCRecordingOutput(configuration: SCRecordingOutputConfiguration(), delegate: delegate)
    #expect(throws: SCStreamError(.invalidParameter)) { try stream.addRecordingOutput(other) }
    #expect(throws: SCStreamError(.invalidParameter)) { try stream.removeRecordingOutput(other) }
    try stream.removeRecordingOutput(output)
    #expect(await eventually { delegate.events.values == ["started", "finished"] })
    try stream.addRecordingOutput(other)
  }

  @Test func aRecordingIsAddedAgainAfterTheEndOfTheStream() async throws {
    let output = try await record()
    capture.perform("stop")
    #expect(await eventually { delegate.events.values == ["started", "finished"] })
    try FileManager.default.removeItem(at: configuration.outputURL)
    try stream.addRecordingOutput(output)
    try await stream.startCapture()
    #expect(await eventually { output.recordedDuration.seconds > 0.5 })
    try stream.removeRecordingOutput(output)
    #expect(await eventually { delegate.events.values == ["started", "finished", "started", "finished"] })
  }

  @Test func theEndOfTheStreamCompletesTheFile() async throws {
    let output = try await record()
    capture.perform("stop")
    #expect(await eventually { delegate.events.values == ["started", "finished"] })
    #expect(output.recordedFileSize > 1_000)
  }

  @Test func aFileThatExistsFailsTheRecordingAndNotTheStream() async throws {
    try Data("a file".utf8).write(to: configuration.outputURL)
    try stream.addRecordingOutput(SCRecordingOutput(configuration: configuration, delegate: delegate))
    #expect(await eventually { delegate.events.values.first?.hasPrefix("failed") == true })
    #expect(stream.isCapturing)
  }
}
