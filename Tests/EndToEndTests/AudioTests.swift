import Foundation
import SoundFormats
import TestPatterns
import Testing

extension EndToEndTests {
  /// Sound, from what the emulated device plays to what the app measures and writes.
  @MainActor @Suite struct AudioTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// The samples of a WAV file, all channels, and its format.
    private func read(_ name: String) throws -> (format: WAVEFormat, samples: [Int16]) {
      let reader = try WAVEReader(path: sandbox.folder.appending(path: name).path)
      var samples: [Int16] = []
      while samples.count < reader.frameCount * reader.format.channelCount {
        let read = try reader.read(
          from: samples.count / reader.format.channelCount, count: reader.frameCount)
        try #require(!read.isEmpty)
        samples += read
      }
      return (reader.format, samples)
    }

    /// The frames at which a mark begins. One that follows on silence, or on nothing, was cut by a pause or by the
    /// beginning of the file: it began earlier, where nobody heard it.
    private func marks(in samples: [Int16], channels: Int, rate: Int) -> [Int] {
      let frames = samples.count / channels
      var marks: [Int] = []
      for frame in 0..<frames where samples[frame * channels].magnitude >= TimeMark.threshold.magnitude {
        if let last = marks.last, frame - last < rate / 2 { continue }
        marks.append(frame)
      }
      return marks.filter { mark in
        // A wave of the mark is 24 frames at the most: it is loud within half of one.
        mark >= 60 && (mark - 60..<mark - 14).contains { samples[$0 * channels] != 0 }
      }
    }

    @Test func soundAndPicturesArriveWholeAndInStep() async throws {
      let wav = sandbox.folder.appending(path: "app.wav").path
      let watcher = try await sandbox.readyWatcher("--verify", "--once", "--wav", wav)
      let producer = try sandbox.producer(
        "--pattern", "proof", "--app-audio", "tone", "--mic", "tone", "--duration", "4")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let summary = try #require(try watcher.events().last { $0.name == "summary" })
      for (sound, rate) in [("appAudio", 44_100.0), ("microphone", 48_000.0)] {
        // What was played while the watcher had not seen the flag yet, within half a second, is heard too.
        #expect(try #require(summary.number("\(sound).framesReceived")) > 3 * rate)
        #expect(summary.number("\(sound).gaps") == 0)
        #expect(summary.number("\(sound).framesLost") == 0)
        #expect(summary.number("\(sound).packetsDropped") == 0)
        #expect(try #require(summary.number("\(sound).marks")) >= 3)
        #expect(try #require(summary.number("\(sound).markOffsetMs")) < 0.03)
        #expect(try #require(summary.number("\(sound).driftMs")) < 1)
        #expect(abs(try #require(summary.number("\(sound).peakDb")) + 6) < 0.1)
      }
      #expect(abs(try #require(summary.number("avOffsetMs.p50"))) < 60)
      let (format, samples) = try read("app.wav")
      #expect(format == WAVEFormat(sampleRate: 44_100, channelCount: 2))
      #expect(
        samples.count / 2 == Int(try #require(summary.number("appAudio.framesReceived"))))
      let marks = marks(in: samples, channels: 2, rate: 44_100)
      #expect(marks.count >= 3)
      // A second is 44,100 frames, rounded to whole ones wherever it begins.
      #expect(zip(marks, marks.dropFirst()).allSatisfy { abs($1 - $0 - 44_100) <= 1 })
    }

    @Test func aPauseIsSilenceInTheFileAndNoFault() async throws {
      let wav = sandbox.folder.appending(path: "mic.wav").path
      let watcher = try await sandbox.readyWatcher("--verify", "--once", "--mic-wav", wav)
      let producer = try sandbox.producer(
        "--pattern", "proof", "--mic", "tone", "--duration", "4", "--at", "1s", "pause", "--at", "2.5s",
        "resume")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let (format, samples) = try read("mic.wav")
      #expect(format == WAVEFormat(sampleRate: 48_000, channelCount: 1))
      let summary = try #require(try watcher.events().last { $0.name == "summary" })
      #expect(try #require(summary.number("microphone.framesReceived")) < 150_000)
      // Time in the file is right: with the pause of a second and a half it is about four long.
      #expect((168_000...197_000).contains(samples.count), "\(samples.count)")
      let marks = marks(in: samples, channels: 1, rate: 48_000)
      #expect(marks.count >= 2)
      for (mark, next) in zip(marks, marks.dropFirst()) {
        let seconds = ((Double(next - mark)) / 48_000).rounded()
        #expect(abs(Double(next - mark) - seconds * 48_000) <= 2)
      }
    }

    @Test func aCallIsSilenceAndAFileIsPlayed() async throws {
      let voice = sandbox.folder.appending(path: "voice.wav")
      #expect(FileManager.default.createFile(atPath: voice.path, contents: nil))
      let writer = try WAVEWriter(
        FileHandle(forWritingTo: voice), sampleRate: 48_000, channelCount: 1)
      try writer.write([Int16](repeating: 3_277, count: 4_800))
      try writer.finish()
      let wav = sandbox.folder.appending(path: "heard.wav").path
      let watcher = try await sandbox.readyWatcher("--once", "--mic-wav", wav)
      let producer = try sandbox.producer(
        "--mic", "wav:\(voice.path)", "--duration", "3", "--at", "1s", "call", "--at", "2s", "hangup")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let (_, samples) = try read("heard.wav")
      #expect(samples.allSatisfy { $0 == 3_277 || $0 == 0 })
      let silent = samples.count { $0 == 0 }
      #expect((36_000...60_000).contains(silent), "\(silent)")
    }

    @Test func silenceTravelsAsSound() async throws {
      let watcher = try await sandbox.readyWatcher("--once")
      let producer = try sandbox.producer("--app-audio", "silence", "--duration", "2")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let summary = try #require(try watcher.events().last { $0.name == "summary" })
      #expect(try #require(summary.number("appAudio.framesReceived")) > 44_100)
      #expect(summary.number("appAudio.peakDb") == -96)
      #expect(summary.number("appAudio.gaps") == 0 && summary.number("appAudio.framesLost") == 0)
      #expect(summary.values["microphone.framesReceived"] == nil)
    }

    @Test func soundThatASlowHandlerHadNoTimeForIsCountedAndMissing() async throws {
      let wav = sandbox.folder.appending(path: "app.wav").path
      let watcher = try await sandbox.readyWatcher("--once", "--wav", wav)
      let producer = try sandbox.producer(
        "--app-audio", "tone", "--mic", "tone", "--at", "0.6s", "slow:0.2", "--duration", "2.5")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      // Five calls a second, of which each kind of sound has one or two, where 43 packets a second come.
      #expect(try #require(try await producer.event("finished").integer("audioDropped")) > 50)
      let summary = try #require(try watcher.events().last { $0.name == "summary" })
      let received = try #require(summary.integer("appAudio.framesReceived"))
      #expect(received > 15_000 && received < 66_150)
      // The ring lost nothing of what the handler got; the rest is silence in the file, which the tone is not.
      #expect(summary.integer("appAudio.gaps") == 0)
      let (_, samples) = try read("app.wav")
      #expect(samples.count / 2 > received + 22_050)
    }

    @Test func packetsThatTheHandlerNeverGotAreNoWholeSound() async throws {
      let watcher = try await sandbox.readyWatcher("--once", "--verify")
      // Fifty calls a second, where 150 samples of the three kinds come: packets are missing here and there.
      let producer = try sandbox.producer(
        "--pattern", "proof", "--app-audio", "tone", "--mic", "tone", "--at", "0.6s", "slow:0.02",
        "--duration", "2.5")
      #expect(try await producer.exitCode() == 0)
      #expect(try #require(try await producer.event("finished").integer("audioDropped")) > 20)
      #expect(try await watcher.exitCode() == 65)
      #expect(watcher.errors.contains("ms away from its times"))
    }

    @Test func theOldPacketsTravelToo() async throws {
      let watcher = try await sandbox.readyWatcher("--once", "--verify")
      let producer = try sandbox.producer(
        "--pattern", "proof", "--app-audio", "tone", "--audio-packet", "22596", "--duration", "3")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let summary = try #require(try watcher.events().last { $0.name == "summary" })
      let frames = try #require(summary.number("appAudio.framesReceived"))
      #expect(frames >= 22_596 * 3 && Int(frames) % 22_596 == 0)
      #expect(summary.values["microphone.framesReceived"] == nil)
    }

    @Test func soundThatCannotBePlayedOrWrittenIsTold() async throws {
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
      other.send(SIGTERM)
      #expect(try await other.exitCode() == 0)
    }
  }
}
