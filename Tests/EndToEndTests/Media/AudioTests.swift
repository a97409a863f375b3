import BroadcastTesting
import TestSupport
import Testing

extension EndToEndTests {
  /// Audio, from the samples of the emulated device to the figures of the app.
  @MainActor @Suite(.sharedMachineFirst) struct AudioTests {
    let sandbox: Sandbox
    private let pace = PaceMeter(allowing: .milliseconds(40))

    init() throws { sandbox = try Sandbox() }

    @Test func aPauseIsNoError() async throws {
      let watcher = try await sandbox.readyWatcher("--verify", "--once")
      let producer = try sandbox.producer(
        "--pattern", "proof", "--mic", "tone", "--duration", "4", "--at", "0.4s", "pause", "--at", "1.7s",
        "resume")
      #expect(try await producer.exitCode() == 0)
      let code = try await watcher.exitCode()
      let microphone = try #require(try await watcher.summary().microphone)
      // An event before the end of the start is refused: on a slow machine there may be no pause.
      try pace.expect {
        #expect(code == 0, "\(watcher.errors)")
        #expect(microphone.framesReceived < 150_000)
        // Those of the seconds 2 and 3. The mark at the start may come before the first frame.
        #expect(microphone.marks >= 2 && microphone.markOffsetMs < 0.1)
      }
    }

    @Test func aPhoneCallSilencesTheMicrophone() async throws {
      let watcher = try await sandbox.readyWatcher("--verify", "--once")
      let producer = try sandbox.producer(
        "--pattern", "proof", "--mic", "tone", "--duration", "3", "--at", "0.5s", "call:audio-returns",
        "--at", "2.5s", "hangup")
      #expect(try await producer.exitCode() == 0)
      let code = try await watcher.exitCode()
      let microphone = try #require(try await watcher.summary().microphone)
      // Silence has no marks: one of them is that of the call.
      try pace.expect {
        #expect(code == 0, "\(watcher.errors)")
        #expect(microphone.framesReceived > 130_000 && microphone.marks <= 2)
      }
    }

    @Test func audioThatASlowHandlerMissesIsCounted() async throws {
      let watcher = try await sandbox.readyWatcher("--once")
      let producer = try sandbox.producer(
        "--app-audio", "tone", "--at", "0.6s", "slow:0.2", "--duration", "4.5")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      // The handler takes five calls per second, two or three with audio; 43 packets per second are due.
      #expect(try await producer.broadcastEnd().audioDropped > 50)
      let summary = try await watcher.summary()
      let received = try #require(summary.appAudio?.framesReceived)
      #expect(received < 66_150)
      try pace.expect {
        #expect(received > 15_000)
        // The ring lost nothing that the handler got.
        #expect(summary.appAudio?.gaps == 0)
      }
    }
  }
}
