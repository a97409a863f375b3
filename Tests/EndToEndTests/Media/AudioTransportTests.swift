import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import TestSupport
import Testing

extension EndToEndTests {
  /// Audio from an extension's handler in another process to an app's context in this one, and the programs' reports
  /// of its file.
  @MainActor @Suite struct AudioTransportTests {
    let sandbox: Sandbox
    /// The exit of the extension's process.
    let exits = Recorder<ExitTest.Result?>()

    init() throws { sandbox = try Sandbox() }

    /// Keeps everything it receives.
    private final class Listener: AudioBufferContextSubscriber {
      let audio = Recorder<BroadcastAudio>()
      let failures = Recorder<FileError>()
      func onAudio(_ audio: BroadcastAudio) { self.audio.add(audio) }
      func onAudioFailure(_ failure: FileError) { failures.add(failure) }
    }

    private struct App {
      let listener = Listener()
      let context: AudioBufferContext

      init(_ container: AppGroupContainer) {
        context = AudioBufferContext(
          container: container, stream: .app, pollTimer: ManualTimer(), clock: TestClock())
        context.subscribe(listener)
      }

      private func hasReceived(_ packets: Int) -> Bool {
        context.poll()
        return context.statistics.framesReceived >= UInt64(packets * AudioPacket.frames)
      }

      /// Polls until the app has received that number of packets.
      @MainActor func receive(_ packets: Int) async throws {
        try await eventually("\(packets) packets") { hasReceived(packets) }
      }

      /// Polls until the app has received the first packet, or the extension's process has ended. The process may take
      /// any time to start; it ends by itself after a minute without an answer.
      @MainActor func receiveFirst(orUntil exits: Recorder<ExitTest.Result?>) async throws {
        try await eventually("the first packet", within: .seconds(600)) {
          hasReceived(1) || !exits.values.isEmpty
        }
      }
    }

    private var file: String { sandbox.container.audioFile(for: .app) }
    private var go: String { sandbox.root + "/go" }

    /// The extension's part, in its own process: one packet, and `packets - 1` more after the app has answered.
    private nonisolated static func broadcast(_ packets: Int, root: String, group: String) throws
      -> SampleHandler
    {
      let handler = SampleHandler(
        configuration: BroadcastConfiguration(
          container: try AppGroupContainer(root: root, group: group), screenWidth: 64, screenHeight: 64))
      handler.broadcastStarted(withSetupInfo: nil)
      handler.processSampleBuffer(try AudioPacket.make(0), with: .audioApp)
      guard holds({ FileManager.default.fileExists(atPath: root + "/go") }) else {
        throw TestFailure(description: "the app did not answer")
      }
      for number in 1..<packets { handler.processSampleBuffer(try AudioPacket.make(number), with: .audioApp) }
      return handler
    }

    @Test func everySampleReachesTheOtherProcess() async throws {
      try sandbox.container.prepare()
      let app = App(sandbox.container)
      let (root, group) = (sandbox.root, sandbox.container.group)
      async let end: Void = exits.add(
        #expect(processExitsWith: .success) {
          [root = root as String, group = group as String] in
          try Self.broadcast(100, root: root, group: group).broadcastFinished()
        })
      try await app.receiveFirst(orUntil: exits)
      try Data().write(to: URL(filePath: go))
      try await app.receive(100)
      _ = await end
      app.context.poll()
      var next = 0
      for audio in app.listener.audio.values {
        #expect(Int(audio.index) == next && audio.sampleRate == 44_100 && audio.channelCount == 2)
        let expected = (next..<next + audio.frameCount).flatMap { frame in
          (0..<2).map { AudioPacket.sample(frame, $0) }
        }
        #expect(audio.samples == expected)
        #expect(audio.time.nanoseconds == 3_000_000_000 + UInt64((Double(next) * 1e9 / 44_100).rounded()))
        next += audio.frameCount
      }
      #expect(next == 100 * AudioPacket.frames)
      #expect(app.context.statistics.gaps == 0 && app.listener.failures.values == [])
      #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test func audioOfAKilledExtensionIsNotDeliveredAndTheNextProducerRemovesItsFile() async throws {
      try sandbox.container.prepare()
      let app = App(sandbox.container)
      let (root, group) = (sandbox.root, sandbox.container.group)
      async let end: Void = exits.add(
        #expect(processExitsWith: .signal(SIGKILL)) {
          [root = root as String, group = group as String] in
          let handler = try Self.broadcast(20, root: root, group: group)
          withExtendedLifetime(handler) { _ = kill(getpid(), SIGKILL) }
        })
      try await app.receiveFirst(orUntil: exits)
      try Data().write(to: URL(filePath: go))
      _ = await end
      for _ in 0..<3 { app.context.poll() }
      #expect(app.context.statistics.framesReceived == UInt64(AudioPacket.frames))
      #expect(app.listener.failures.values == [])

      let inspected = try await sandbox.run(BuiltPrograms.consumer, ["inspect", file, "--json"])
      #expect(inspected.exitCode == 0, "\(inspected.errors)")
      let event = try #require(try inspected.program.events().first)
      try EventDocument().expect([event], of: "consumer")
      #expect(event.text("format") == "audio-ring" && event.text("byteOrder") == "big")
      #expect(event.integer("packets") == 20 && event.integer("framesWritten") == 20 * AudioPacket.frames)

      let doctor = try await sandbox.consumer("doctor")
      #expect(doctor.exitCode == 75)
      try await doctor.program.event("finding") { finding in
        finding.text("kind") == "leftoverRing" && finding.text("path") == file
      }
      let next = try sandbox.producer("--frames", "5")
      #expect(try await next.exitCode() == 0)
      #expect(!FileManager.default.fileExists(atPath: file))
    }
  }
}
