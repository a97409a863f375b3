import BroadcastTesting
import Foundation
import SoundFormats
import TestSupport
import Testing

extension EndToEndTests {
  /// Audio, from the samples of the emulated device to the figures and files of the app.
  @MainActor @Suite(.sharedMachineFirst) struct AudioTests {
    let sandbox: Sandbox
    private let pace = PaceMeter(allowing: .milliseconds(40))

    init() throws { sandbox = try Sandbox() }

    private func recording(_ name: String) throws -> Recording {
      try Recording(sandbox.folder.appending(path: name))
    }

    @Test func aPauseIsSilenceInTheFileAndNoError() async throws {
      let wav = sandbox.folder.appending(path: "mic.wav").path
      let watcher = try await sandbox.readyWatcher("--verify", "--once", "--mic-wav", wav)
      let producer = try sandbox.producer(
        "--pattern", "proof", "--mic", "tone", "--duration", "4", "--at", "0.4s", "pause", "--at", "1.7s",
        "resume")
      #expect(try await producer.exitCode() == 0)
      let code = try await watcher.exitCode()
      let recording = try recording("mic.wav")
      #expect(recording.format == WAVEFormat(sampleRate: 48_000, channelCount: 1))
      let summary = try await watcher.summary()
      let received = try #require(summary.microphone?.framesReceived)
      recording.expectMarksAtWholeSeconds(tolerance: 2)
      // An event before the end of the start is refused: on a slow machine there may be no pause.
      try pace.expect {
        #expect(code == 0, "\(watcher.errors)")
        #expect(received < 150_000)
        // The file has the length of the broadcast, about 4 s, including the pause of 1.3 s.
        #expect((168_000...197_000).contains(recording.frameCount), "\(recording.frameCount)")
        // Those of the seconds 2 and 3. The mark at the start may come before the first frame, with which the file begins.
        #expect(recording.marks.count >= 2)
      }
    }

    @Test func aWAVFileIsTheMicrophoneAndAPhoneCallSilencesIt() async throws {
      let voice = sandbox.folder.appending(path: "voice.wav")
      #expect(FileManager.default.createFile(atPath: voice.path, contents: nil))
      let writer = try WAVEWriter(FileHandle(forWritingTo: voice), sampleRate: 48_000, channelCount: 1)
      try writer.write([Int16](repeating: 3_277, count: 4_800))
      try writer.finish()
      let wav = sandbox.folder.appending(path: "received.wav").path
      let watcher = try await sandbox.readyWatcher("--once", "--mic-wav", wav)
      let producer = try sandbox.producer(
        "--mic", "wav:\(voice.path)", "--duration", "3", "--at", "1s", "call:audio-returns", "--at", "2s",
        "hangup")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let samples = try recording("received.wav").samples
      #expect(samples.allSatisfy { $0 == 3_277 || $0 == 0 })
      let silent = samples.count { $0 == 0 }
      try pace.expect { #expect((36_000...60_000).contains(silent), "\(silent)") }
    }

    @Test func aMicrophoneThatEndsFailsVerificationAndALateOneDoesNot() async throws {
      for (time, event, nextTime, nextEvent, expected) in [
        ("1s", "audio-ends:mic", "1.1s", "rotate:up", Int32(65)),
        ("0s", "audio-ends:mic", "1.2s", "audio-starts:mic", 0),
      ] {
        let watcher = try await sandbox.readyWatcher("--verify", "--once")
        let producer = try sandbox.producer(
          "--pattern", "proof", "--app-audio", "tone", "--mic", "tone", "--duration", "4.5", "--at", time,
          event,
          "--at", nextTime, nextEvent)
        #expect(try await producer.exitCode() == 0)
        let code = try await watcher.exitCode()
        try pace.expect { #expect(code == expected, "\(watcher.errors)") }
      }
    }

    @Test func aChangeOfTheRouteDoesNotEndTheFile() async throws {
      let wav = sandbox.folder.appending(path: "mic.wav").path
      let watcher = try await sandbox.readyWatcher("--verify", "--once", "--mic-wav", wav)
      let producer = try sandbox.producer(
        "--pattern", "proof", "--mic", "tone", "--duration", "3", "--at", "1s", "route:airpods")
      #expect(try await producer.exitCode() == 0)
      let code = try await watcher.exitCode()
      let recording = try recording("mic.wav")
      #expect(recording.format == WAVEFormat(sampleRate: 48_000, channelCount: 1))
      try pace.expect {
        #expect(code == 0, "\(watcher.errors)")
        #expect((130_000...150_000).contains(recording.frameCount), "\(recording.frameCount)")
      }
    }

    @Test func silenceIsTransportedAsAudio() async throws {
      let watcher = try await sandbox.readyWatcher("--once")
      let producer = try sandbox.producer("--app-audio", "silence", "--duration", "2")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let summary = try await watcher.summary()
      #expect(summary.appAudio?.peakDb == -96)
      #expect(summary.microphone?.framesReceived == nil)
      try pace.expect {
        #expect((summary.appAudio?.framesReceived ?? 0) > 44_100)
        #expect(summary.appAudio?.gaps == 0 && summary.appAudio?.framesLost == 0)
      }
    }

    @Test func audioThatASlowHandlerMissesIsCountedAndSilentInTheFile() async throws {
      let wav = sandbox.folder.appending(path: "app.wav").path
      let watcher = try await sandbox.readyWatcher("--once", "--wav", wav)
      let producer = try sandbox.producer(
        "--app-audio", "tone", "--at", "0.6s", "slow:0.2", "--duration", "4.5")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      // The handler takes five calls per second, two or three with audio; 43 packets per second are due.
      #expect(try await producer.broadcastEnd().audioDropped > 50)
      let summary = try await watcher.summary()
      let received = try #require(summary.appAudio?.framesReceived)
      #expect(received < 66_150)
      let recording = try recording("app.wav")
      try pace.expect {
        #expect(received > 15_000)
        // The ring lost nothing that the handler got. The rest is silence in the file.
        #expect(summary.appAudio?.gaps == 0)
        #expect(recording.frameCount > received + 22_050)
      }
    }

    @Test func packetsThatTheHandlerNeverGotFailVerification() async throws {
      let watcher = try await sandbox.readyWatcher("--once", "--verify")
      // The handler takes 50 calls per second; about 150 samples of the three kinds are due, so packets are dropped.
      let producer = try sandbox.producer(
        "--pattern", "proof", "--app-audio", "tone", "--mic", "tone", "--at", "0.6s", "slow:0.02",
        "--duration", "2.5")
      #expect(try await producer.exitCode() == 0)
      #expect(try await producer.broadcastEnd().audioDropped > 20)
      #expect(try await watcher.exitCode() == 65)
      // Which of its marks or times is reported first depends on the packets that were dropped.
      #expect(watcher.errors.contains("The audio was incomplete or out of step: "))
    }

    @Test func packetsOfTheOldSizeArriveWhole() async throws {
      let watcher = try await sandbox.readyWatcher("--once", "--verify")
      let producer = try sandbox.producer(
        "--pattern", "proof", "--app-audio", "tone", "--ios", "12", "--duration", "3")
      #expect(try await producer.exitCode() == 0)
      let code = try await watcher.exitCode()
      let summary = try await watcher.summary()
      let frames = try #require(summary.appAudio?.framesReceived)
      #expect(frames % 22_596 == 0)
      #expect(summary.microphone?.framesReceived == nil)
      try pace.expect {
        #expect(code == 0, "\(watcher.errors)")
        #expect(frames >= 22_596 * 3)
      }
    }

    @Test func audioThatCannotBeReadOrWrittenIsReported() async throws {
      let producer = try sandbox.producer("--app-audio", "wav:\(sandbox.folder.path)/none.wav")
      #expect(try await producer.exitCode() == 74)
      #expect(producer.errors.contains("none.wav does not exist; name a WAV file"))
      let watcher = try sandbox.watcher("--wav", "\(sandbox.folder.path)/no/folder.wav")
      #expect(try await watcher.exitCode() == 74)
      #expect(watcher.errors.contains("folder.wav cannot be written"))
      let full = try await sandbox.readyWatcher("--wav", "/dev/full")
      let other = try sandbox.producer("--app-audio", "silence")
      #expect(try await full.exitCode() == 73)
      #expect(full.errors.contains("/dev/full cannot be written"))
      try await other.endsInOrder()
    }
  }
}
