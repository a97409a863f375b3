import Foundation
import Platform
import SharedMemory
import SoundFormats
import TestPatterns
import TestSupport
import Testing

extension EndToEndTests {
  /// Audio, from the samples of the emulated device to the figures and files of the app.
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

    /// The frames at which a mark begins, without those that a pause or the start of the file has cut: a cut mark
    /// follows silence or nothing, and its true start is missing.
    private func marks(in samples: [Int16], channels: Int, rate: Int) -> [Int] {
      let frames = samples.count / channels
      var marks: [Int] = []
      for frame in 0..<frames where samples[frame * channels].magnitude >= TimeMark.threshold.magnitude {
        if let last = marks.last, frame - last < rate / 2 { continue }
        marks.append(frame)
      }
      return marks.filter { mark in
        // A period of the mark has at most 24 frames, and reaches the threshold within half of them.
        mark >= 60 && (mark - 60..<mark - 14).contains { samples[$0 * channels] != 0 }
      }
    }

    @Test(.machineAlone) func audioAndFramesArriveCompleteAndInSync() async throws {
      let pace = PaceMeter(allowing: .milliseconds(20))
      let wav = sandbox.folder.appending(path: "app.wav").path
      let watcher = try await sandbox.readyWatcher("--verify", "--once", "--wav", wav)
      let producer = try sandbox.producer(
        "--pattern", "proof", "--app-audio", "tone", "--mic", "tone", "--duration", "4")
      #expect(try await producer.exitCode() == 0)
      let code = try await watcher.exitCode()
      let summary = try #require(try watcher.events().last { $0.name == "summary" })
      #expect(summary.integer("framesTorn") == 0 && summary.integer("framesRepeated") == 0)
      let (format, samples) = try read("app.wav")
      #expect(format == WAVEFormat(sampleRate: 44_100, channelCount: 2))
      let marks = marks(in: samples, channels: 2, rate: 44_100)
      for stream in ["appAudio", "microphone"] {
        #expect((summary.number("\(stream).markOffsetMs") ?? 0) < 0.03)
        #expect(abs(try #require(summary.number("\(stream).peakDb")) + 6) < 0.1)
      }
      // The start of each mark is rounded to a whole frame. A hole in the audio is silence of its length.
      for (mark, next) in zip(marks, marks.dropFirst()) {
        let seconds = (Double(next - mark) / 44_100).rounded()
        #expect(abs(Double(next - mark) - seconds * 44_100) <= 1)
      }
      // A producer that the machine does not run has no time to deliver the audio.
      try pace.expect {
        #expect(code == 0, "\(watcher.errors)")
        for (stream, rate) in [("appAudio", 44_100.0), ("microphone", 48_000.0)] {
          // The watcher also gets the audio of the half second in which it had not seen the flag yet.
          #expect((summary.number("\(stream).framesReceived") ?? 0) > 3 * rate)
          #expect(summary.number("\(stream).gaps") == 0)
          #expect(summary.number("\(stream).framesLost") == 0)
          #expect(summary.number("\(stream).packetsDropped") == 0)
          #expect((summary.number("\(stream).marks") ?? 0) >= 3)
          #expect((summary.number("\(stream).driftMs") ?? .infinity) < 1)
        }
        #expect(abs(summary.number("avOffsetMs.p50") ?? .infinity) < 60)
        #expect(samples.count / 2 == summary.integer("appAudio.framesReceived"))
        #expect(marks.count >= 3)
      }
    }

    @Test(.machineAlone) func theFilesOfAWatchThatJoinsStartAtTheSameMoment() async throws {
      let pace = PaceMeter(allowing: .milliseconds(20))
      let producer = try sandbox.producer("--pattern", "proof", "--app-audio", "tone")
      try await producer.event("started")
      // More than the audio that a watch gets from the time before.
      try await sandbox.framesPass(90)
      let file = sandbox.folder.appending(path: "frames.y4m")
      let watcher = try sandbox.watcher(
        "--duration", "2.5", "--y4m", file.path, "--wav", sandbox.folder.path + "/app.wav")
      // The start of each frame, before the first rows end, and its time.
      var published: [(bytes: Data, time: MonotonicTime)] = []
      let ring = try sandbox.ring()
      try await eventually("the end of the watch") {
        let frame = try ring.next { stamp, bytes in
          (Data((0..<min(1024, bytes.count)).map { bytes[$0] }), stamp.captureTime)
        }
        if let frame { published.append(frame) }
        return !watcher.isRunning
      }
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let frames = try Data(contentsOf: file)
      let start = try #require(frames.range(of: Data("\nFRAME\n".utf8))).upperBound
      let row = frames[start..<start + 160]
      let first = published.first { $0.bytes.range(of: row) != nil }?.time
      let samples = try read("app.wav").samples
      let mark = try #require(marks(in: samples, channels: 2, rate: 44_100).first)
      try pace.expect {
        // A mark begins at a whole second of the clock, and reaches its threshold some samples later.
        let offset = try #require(first) - MonotonicTime.zero + .seconds(Double(mark) / 44_100)
        let distance = offset / .seconds(1) - (offset / .seconds(1)).rounded()
        #expect(abs(distance) < 0.001, "the audio starts \(distance) s apart from the first frame")
      }
    }

    @Test func aPauseIsSilenceInTheFileAndNoError() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let wav = sandbox.folder.appending(path: "mic.wav").path
      let watcher = try await sandbox.readyWatcher("--verify", "--once", "--mic-wav", wav)
      let producer = try sandbox.producer(
        "--pattern", "proof", "--mic", "tone", "--duration", "4", "--at", "1s", "pause", "--at", "2.5s",
        "resume")
      #expect(try await producer.exitCode() == 0)
      let code = try await watcher.exitCode()
      let (format, samples) = try read("mic.wav")
      #expect(format == WAVEFormat(sampleRate: 48_000, channelCount: 1))
      let summary = try #require(try watcher.events().last { $0.name == "summary" })
      #expect(try #require(summary.number("microphone.framesReceived")) < 150_000)
      let marks = marks(in: samples, channels: 1, rate: 48_000)
      for (mark, next) in zip(marks, marks.dropFirst()) {
        let seconds = ((Double(next - mark)) / 48_000).rounded()
        #expect(abs(Double(next - mark) - seconds * 48_000) <= 2)
      }
      try pace.expect {
        #expect(code == 0, "\(watcher.errors)")
        // The file has the length of the broadcast, about 4 s, including the pause of 1.5 s.
        #expect((168_000...197_000).contains(samples.count), "\(samples.count)")
        #expect(marks.count >= 2)
      }
    }

    @Test func aWAVFileIsTheMicrophoneAndAPhoneCallSilencesIt() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let voice = sandbox.folder.appending(path: "voice.wav")
      #expect(FileManager.default.createFile(atPath: voice.path, contents: nil))
      let writer = try WAVEWriter(
        FileHandle(forWritingTo: voice), sampleRate: 48_000, channelCount: 1)
      try writer.write([Int16](repeating: 3_277, count: 4_800))
      try writer.finish()
      let wav = sandbox.folder.appending(path: "received.wav").path
      let watcher = try await sandbox.readyWatcher("--once", "--mic-wav", wav)
      let producer = try sandbox.producer(
        "--mic", "wav:\(voice.path)", "--duration", "3", "--at", "1s", "call", "--at", "2s", "hangup")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let (_, samples) = try read("received.wav")
      #expect(samples.allSatisfy { $0 == 3_277 || $0 == 0 })
      let silent = samples.count { $0 == 0 }
      try pace.expect { #expect((36_000...60_000).contains(silent), "\(silent)") }
    }

    @Test func silenceIsTransportedAsAudio() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let watcher = try await sandbox.readyWatcher("--once")
      let producer = try sandbox.producer("--app-audio", "silence", "--duration", "2")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      let summary = try #require(try watcher.events().last { $0.name == "summary" })
      #expect(summary.number("appAudio.peakDb") == -96)
      #expect(summary.values["microphone.framesReceived"] == nil)
      try pace.expect {
        #expect((summary.number("appAudio.framesReceived") ?? 0) > 44_100)
        #expect(summary.number("appAudio.gaps") == 0 && summary.number("appAudio.framesLost") == 0)
      }
    }

    @Test func audioThatASlowHandlerMissesIsCountedAndSilentInTheFile() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let wav = sandbox.folder.appending(path: "app.wav").path
      let watcher = try await sandbox.readyWatcher("--once", "--wav", wav)
      let producer = try sandbox.producer(
        "--app-audio", "tone", "--mic", "tone", "--at", "0.6s", "slow:0.2", "--duration", "2.5")
      #expect(try await producer.exitCode() == 0)
      #expect(try await watcher.exitCode() == 0, "\(watcher.errors)")
      // The handler takes five calls per second, one or two of each kind; 43 packets per second are due.
      #expect(try #require(try await producer.event("finished").integer("audioDropped")) > 50)
      let summary = try #require(try watcher.events().last { $0.name == "summary" })
      let received = try #require(summary.integer("appAudio.framesReceived"))
      #expect(received < 66_150)
      let (_, samples) = try read("app.wav")
      try pace.expect {
        #expect(received > 15_000)
        // The ring lost nothing that the handler got. The rest is silence in the file.
        #expect(summary.integer("appAudio.gaps") == 0)
        #expect(samples.count / 2 > received + 22_050)
      }
    }

    @Test func packetsThatTheHandlerNeverGotFailVerification() async throws {
      let watcher = try await sandbox.readyWatcher("--once", "--verify")
      // The handler takes 50 calls per second; about 150 samples of the three kinds are due, so packets are dropped.
      let producer = try sandbox.producer(
        "--pattern", "proof", "--app-audio", "tone", "--mic", "tone", "--at", "0.6s", "slow:0.02",
        "--duration", "2.5")
      #expect(try await producer.exitCode() == 0)
      #expect(try #require(try await producer.event("finished").integer("audioDropped")) > 20)
      #expect(try await watcher.exitCode() == 65)
      // Which of its marks or times is reported first depends on the packets that were dropped.
      #expect(watcher.errors.contains("The audio was incomplete or out of step: "))
    }

    @Test func packetsOfTheOldSizeArriveWhole() async throws {
      let pace = PaceMeter(allowing: .milliseconds(40))
      let watcher = try await sandbox.readyWatcher("--once", "--verify")
      let producer = try sandbox.producer(
        "--pattern", "proof", "--app-audio", "tone", "--audio-packet", "22596", "--duration", "3")
      #expect(try await producer.exitCode() == 0)
      let code = try await watcher.exitCode()
      let summary = try #require(try watcher.events().last { $0.name == "summary" })
      let frames = try #require(summary.integer("appAudio.framesReceived"))
      #expect(frames % 22_596 == 0)
      #expect(summary.values["microphone.framesReceived"] == nil)
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
      other.send(SIGTERM)
      #expect(try await other.exitCode() == 0)
    }
  }
}
