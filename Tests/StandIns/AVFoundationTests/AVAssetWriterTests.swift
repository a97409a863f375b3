import AVFoundation
import PixelAccess
import TestSupport

@Suite(.sharedMachine, .needs(.ffmpeg, .ffprobe)) struct AVAssetWriterTests {
  private let folder = TemporaryFolder.ofSuite()

  private let start = CMTime(value: 5_000, timescale: 1000)

  private func url(_ name: String = "movie.mp4") -> URL { URL(filePath: folder(name)) }

  private func audioInput(_ format: AudioFormatID = kAudioFormatMPEG4AAC) -> AVAssetWriterInput {
    AVAssetWriterInput(
      mediaType: .audio,
      outputSettings: [
        AVFormatIDKey: format, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2, AVEncoderBitRateKey: 64_000,
      ])
  }

  private func finish(_ writer: AVAssetWriter) async {
    await withCheckedContinuation { continuation in writer.finishWriting { continuation.resume() } }
  }

  /// Appends pictures at these times, in milliseconds after the start.
  private func append(_ times: [Int], to input: AVAssetWriterInput) throws {
    for (index, time) in times.enumerated() {
      let time = start + CMTime(value: CMTimeValue(time), timescale: 1000)
      #expect(input.append(try videoSample(index, at: time)))
    }
  }

  private let times = [0, 17, 33, 50, 400, 416, 433]

  @Test(arguments: [(AVFileType.mp4, "movie.mp4"), (.mov, "movie.mov")])
  func writesVideoAndAudio(type: AVFileType, name: String) async throws {
    let writer = try AVAssetWriter(outputURL: url(name), fileType: type)
    let (video, audio) = (videoInput([AVVideoHeightKey: 120 as CGFloat]), audioInput())
    video.expectsMediaDataInRealTime = true
    for input in [video, audio] {
      #expect(writer.canAdd(input) && !input.isReadyForMoreMediaData)
      writer.add(input)
    }
    writer.add(video)
    #expect(writer.status == .unknown && writer.inputs == [video, audio] && !writer.canAdd(video))
    #expect(writer.startWriting() && writer.status == .writing && video.isReadyForMoreMediaData)
    #expect(FileManager.default.fileExists(atPath: url(name).path))
    writer.startSession(atSourceTime: start)
    try append(times, to: video)
    for packet in 0..<20 { #expect(audio.append(try audioSample(from: packet * 1024, start: start))) }
    video.markAsFinished()
    audio.markAsFinished()
    #expect(!video.append(try videoSample(0, at: start + CMTime(value: 9, timescale: 1))))
    await finish(writer)
    #expect(writer.status == .completed && writer.error == nil)
    #expect(try !video.isReadyForMoreMediaData && !video.append(videoSample(0, at: .zero)))
    // The parts of which the movie was made are gone.
    #expect(folder.names == [name])
    let asset = AVURLAsset(url: url(name))
    #expect(try await abs(asset.load(.duration).seconds - 0.46) < 0.05)
    #expect(asset.tracks(withMediaType: .audio).count == 1)
    let track = try #require(try await asset.loadTracks(withMediaType: .video).first)
    #expect(track.naturalSize == CGSize(width: 160, height: 120) && track.timeRange.duration.seconds > 0.4)
    let movie = try await ReadMovie(name, in: folder)
    #expect(movie.codecs == ["h264", "aac"] && movie.size == [160, 120] && movie.rotation == 0)
    #expect((movie.times, movie.greys.count) == (times, times.count))
    for (index, value) in movie.greys.enumerated() { #expect(abs(Int(value) - Int(grey(index))) <= 3) }
    #expect(abs(movie.audio.count - 20 * 1024) < 2200)
    let level = movie.audio.dropFirst(4000).prefix(8000).map(abs).max() ?? 0
    #expect(abs(level - 8000 / 32_768) < 0.03, "\(level)")
  }

  @Test func samplesOutsideOfTheSessionAreLeftOut() async throws {
    let writer = try AVAssetWriter(url: url(), fileType: .mp4)
    let input = videoInput()
    writer.begin(with: input, at: start + CMTime(value: 33, timescale: 1000))
    writer.endSession(atSourceTime: start + CMTime(value: 416, timescale: 1000))
    try append(times, to: input)
    await writer.finishWriting()
    #expect(writer.status == .completed)
    #expect(try await ReadMovie("movie.mp4", in: folder).times == [0, 17, 367])
  }

  @Test func theTransformTurnsThePictures() async throws {
    let writer = try AVAssetWriter(outputURL: url(), fileType: .mp4)
    writer.shouldOptimizeForNetworkUse = true
    let input = videoInput()
    input.transform = CGAffineTransform(rotationAngle: .pi / 2)
    writer.begin(with: input, at: start)
    try append([0, 33], to: input)
    await finish(writer)
    #expect(try await ReadMovie("movie.mp4", in: folder).rotation == 90)
  }

  @Test func picturesOfAnotherSizeAreScaled() async throws {
    let writer = try AVAssetWriter(outputURL: url(), fileType: .mp4)
    let input = videoInput([
      AVVideoScalingModeKey: AVVideoScalingModeResizeAspect,
      AVVideoCompressionPropertiesKey: [
        AVVideoAverageBitRateKey: 500_000, AVVideoProfileLevelKey: AVVideoProfileLevelH264HighAutoLevel,
        AVVideoMaxKeyFrameIntervalKey: 30, AVVideoMaxKeyFrameIntervalDurationKey: 1.0,
      ] as [String: Any],
    ])
    writer.begin(with: input, at: start)
    #expect(input.append(try videoSample(1, at: start, width: 320, height: 240)))
    #expect(
      input.append(try videoSample(2, at: start + CMTime(value: 1, timescale: 30), width: 240, height: 320)))
    await finish(writer)
    let movie = try await ReadMovie("movie.mp4", in: folder)
    #expect(movie.size == [160, 120] && movie.greys.count == 2)
    #expect(
      zip(movie.greys, [grey(1), grey(2)]).allSatisfy { abs(Int($0) - Int($1)) <= 3 }, "\(movie.greys)")
  }

  @Test func anAdaptorAppendsPixelBuffers() async throws {
    let writer = try AVAssetWriter(outputURL: url(), fileType: .mov)
    let input = videoInput([AVVideoCodecKey: AVVideoCodecType.hevc])
    let adaptor = AVAssetWriterInputPixelBufferAdaptor(
      assetWriterInput: input,
      sourcePixelBufferAttributes: [
        kCVPixelBufferPixelFormatTypeKey: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      ])
    writer.add(input)
    #expect(adaptor.pixelBufferPool == nil)
    writer.startWriting()
    let pool = try #require(adaptor.pixelBufferPool)
    var buffer: CVPixelBuffer?
    // UNSAFE: the out parameter is a local variable.
    unsafe CVPixelBufferPoolCreatePixelBuffer(nil, pool, &buffer)
    let pixels = try #require(buffer)
    #expect(CVPixelBufferGetWidth(pixels) == 160 && CVPixelBufferGetHeight(pixels) == 120)
    writer.startSession(atSourceTime: .zero)
    for index in 0..<3 {
      let time = CMTime(value: CMTimeValue(index), timescale: 10)
      #expect(adaptor.append(try picture(grey(index)), withPresentationTime: time))
    }
    await finish(writer)
    let movie = try await ReadMovie("movie.mp4", in: folder)
    #expect(movie.codecs == ["hevc"] && movie.times == [0, 100, 200])
    #expect(zip(movie.greys, (0..<3).map(grey)).allSatisfy { abs(Int($0) - Int($1)) <= 4 }, "\(movie.greys)")
  }

  @Test func audioGoesOnThroughAChangeOfItsFormatAndAGap() async throws {
    let writer = try AVAssetWriter(outputURL: url("audio.m4a"), fileType: .m4a)
    let input = audioInput()
    #expect(!writer.canAdd(videoInput()))
    writer.begin(with: input, at: start)
    for packet in 0..<20 { input.append(try audioSample(from: packet * 1024, start: start)) }
    // Half a second of audio is missing, and the rate changes.
    let later = start + CMTime(value: 20 * 1024 + 22_050, timescale: 44_100)
    for packet in 0..<20 {
      input.append(try audioSample(from: packet * 1024, rate: 48_000, start: later, isBigEndian: false))
    }
    await finish(writer)
    #expect(writer.status == .completed, "\(String(describing: writer.error))")
    let movie = try await ReadMovie("audio.m4a", in: folder)
    #expect(movie.codecs == ["aac"])
    let expected = 20 * 1024 + 22_050 + 20 * 1024 * 441 / 480
    #expect(abs(movie.audio.count - expected) < 2500, "\(movie.audio.count) of \(expected)")
    #expect(movie.audio[(20 * 1024 + 4000)..<(20 * 1024 + 18_000)].allSatisfy { abs($0) < 0.02 })
    #expect((movie.audio.suffix(8000).map(abs).max() ?? 0) > 0.2)
  }

  @Test func linearPCMIsWrittenAsWaves() async throws {
    let writer = try AVAssetWriter(outputURL: url("audio.wav"), fileType: .wav)
    let input = audioInput(kAudioFormatLinearPCM)
    writer.begin(with: input, at: start)
    for packet in 0..<4 { input.append(try audioSample(from: packet * 1024, start: start)) }
    await finish(writer)
    let movie = try await ReadMovie("audio.wav", in: folder)
    #expect(movie.codecs == ["pcm_s16le"] && movie.audio.count == 4096)
  }

  @Test func aFileThatExistsIsKept() throws {
    try Data("mine".utf8).write(to: url())
    let writer = try AVAssetWriter(outputURL: url(), fileType: .mp4)
    writer.add(videoInput())
    #expect(!writer.startWriting() && writer.status == .failed)
    let error = try #require(writer.error) as NSError
    #expect(error.domain == AVFoundationErrorDomain && error.code == -11_823)
    #expect(
      (writer.error as? AVError)?.code == .fileAlreadyExists && error.localizedDescription == "Cannot Save")
    #expect(try Data(contentsOf: url()) == Data("mine".utf8))
    #expect(throws: AVError.self) { try AVAssetWriter(outputURL: url(), fileType: .mp3) }
  }

  @Test func timesThatDoNotIncreaseFail() async throws {
    let writer = try AVAssetWriter(outputURL: url(), fileType: .mp4)
    let input = videoInput()
    writer.begin(with: input, at: start)
    input.append(try videoSample(0, at: start))
    input.append(try videoSample(1, at: start))
    await finish(writer)
    #expect(writer.status == .failed && (writer.error as? AVError)?.code == .unknown)
    #expect(!input.append(try videoSample(2, at: start + CMTime(value: 1, timescale: 1))))
  }

  @Test func cancellingRemovesTheFile() throws {
    let writer = try AVAssetWriter(outputURL: url(), fileType: .mp4)
    let input = videoInput()
    writer.begin(with: input, at: start)
    try append([0, 33], to: input)
    writer.cancelWriting()
    #expect(writer.status == .cancelled && !FileManager.default.fileExists(atPath: url().path))
    #expect(!input.append(try videoSample(2, at: start + CMTime(value: 1, timescale: 1))))
  }

  @Test func aReadyInputAsksForSamples() async throws {
    let writer = try AVAssetWriter(outputURL: url(), fileType: .mp4)
    let input = videoInput()
    writer.begin(with: input, at: .zero)
    let samples = try (0..<9).map { try videoSample($0, at: CMTime(value: CMTimeValue($0), timescale: 10)) }
    let queue = DispatchQueue(label: "samples")
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      nonisolated(unsafe) var rest = samples[...]
      input.requestMediaDataWhenReady(on: queue) {
        while input.isReadyForMoreMediaData, let sample = unsafe rest.popFirst() { input.append(sample) }
        guard unsafe rest.isEmpty else { return }
        input.markAsFinished()
        writer.finishWriting { continuation.resume() }
      }
    }
    #expect(writer.status == .completed)
    #expect(try await ReadMovie("movie.mp4", in: folder).times == (0..<9).map { $0 * 100 })
  }
}

/// Tests writers that end the process, and writers with another search path.
@Suite(.sharedMachine) struct AVAssetWriterFailureTests {
  @Test func withoutFfmpegStartingFails() async throws {
    let result = try #require(
      await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        // UNSAFE: the call copies both texts.
        unsafe setenv("PATH", "/nonexistent", 1)
        let folder = try TemporaryFolder()
        let writer = try AVAssetWriter(outputURL: URL(filePath: folder("movie.mp4")), fileType: .mp4)
        writer.add(AVAssetWriterInput(mediaType: .audio, outputSettings: nil))
        #expect(!writer.startWriting() && writer.status == .failed)
        #expect((writer.error as? AVError)?.code == .encoderNotFound)
      })
    let text = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(text.contains("AVAssetWriter: encoding needs ffmpeg in $PATH"))
  }

  @Test(.needs(.ffmpeg, .ffprobe), arguments: FetchedFFmpeg.versions)
  func writesWithEachVersionOfFfmpeg(version: String) async throws {
    try FetchedFFmpeg.require(version)
    await #expect(processExitsWith: .success) { [version] in
      FetchedFFmpeg.use(version)
      let folder = try TemporaryFolder()
      let writer = try AVAssetWriter(outputURL: URL(filePath: folder("movie.mp4")), fileType: .mp4)
      let video = videoInput([AVVideoScalingModeKey: AVVideoScalingModeResizeAspectFill])
      let audio = AVAssetWriterInput(
        mediaType: .audio,
        outputSettings: [
          AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
        ])
      video.transform = CGAffineTransform(rotationAngle: .pi)
      for input in [video, audio] { writer.add(input) }
      writer.startWriting()
      writer.startSession(atSourceTime: .zero)
      let times = [0, 100, 133, 1000]
      for (index, time) in times.enumerated() {
        video.append(
          try videoSample(index, at: CMTime(value: CMTimeValue(time), timescale: 1000), width: 320))
      }
      for packet in 0..<44 { audio.append(try audioSample(from: packet * 1024, start: .zero)) }
      await writer.finishWriting()
      #expect(writer.status == .completed, "\(String(describing: writer.error))")
      let movie = try await ReadMovie("movie.mp4", in: folder)
      #expect(movie.codecs == ["h264", "aac"] && movie.times == times && abs(movie.rotation) == 180)
      #expect(movie.greys.count == 4, "\(movie.greys)")
      #expect(
        zip(movie.greys, (0..<4).map(grey)).allSatisfy { abs(Int($0) - Int($1)) <= 4 }, "\(movie.greys)")
      #expect(abs(movie.audio.count - 44 * 1024) < 2200)
    }
  }

  /// On a device, the encoder runs in another process.
  @Test(.needs(.ffmpeg, .ffprobe), arguments: [true, false])
  func encodingTakesNoMemoryOfTheProcess(byAdaptor: Bool) async throws {
    await #expect(processExitsWith: .success) { [byAdaptor] in
      let folder = try TemporaryFolder()
      let writer = try AVAssetWriter(outputURL: URL(filePath: folder("movie.mp4")), fileType: .mp4)
      let input = videoInput()
      let adaptor = AVAssetWriterInputPixelBufferAdaptor(assetWriterInput: input)
      writer.begin(with: input, at: .zero)
      let picture = try picture(100, width: 2064, height: 2752)
      let before = try ProcessMemory.measure().anonymous
      var peak = before
      for index in 0..<10 {
        let time = CMTime(value: CMTimeValue(index), timescale: 10)
        if byAdaptor {
          adaptor.append(picture, withPresentationTime: time)
        } else {
          input.append(try videoSample(picture, at: time))
        }
        peak = max(peak, try ProcessMemory.measure().anonymous)
      }
      await writer.finishWriting()
      #expect(writer.status == .completed)
      #expect(peak - before < UInt64(CVPixelBufferGetDataSize(picture)) / 2, "\(peak - before)")
    }
  }

  @Test func aSampleBeforeTheSessionEndsTheProcess() async throws {
    await #expect(processExitsWith: .failure) {
      let folder = try TemporaryFolder()
      let writer = try AVAssetWriter(outputURL: URL(filePath: folder("movie.mp4")), fileType: .mp4)
      let input = AVAssetWriterInput(mediaType: .video, outputSettings: nil)
      writer.add(input)
      input.append(try videoSample(0, at: .zero))
    }
    await #expect(processExitsWith: .failure) {
      _ = AVAssetWriterInput(mediaType: .video, outputSettings: [AVVideoCodecKey: AVVideoCodecType.h264])
    }
  }

  @Test func settingsOfAudioAreCompleteOrHaveAHint() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = AVAssetWriterInput(
        mediaType: .audio, outputSettings: [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100])
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("must contain a value for the key AVNumberOfChannelsKey"), "\(text)")
    let hint = try audioSample(from: 0, start: .zero).formatDescription
    let input = AVAssetWriterInput(
      mediaType: .audio, outputSettings: [AVFormatIDKey: kAudioFormatMPEG4AAC], sourceFormatHint: hint)
    let writer = try AVAssetWriter(outputURL: URL(filePath: "/nonexistent/a.m4a"), fileType: .m4a)
    #expect(writer.canAdd(input))
  }
}

extension AVAssetWriter {
  /// Adds its only input, and starts the file and the session.
  fileprivate func begin(with input: AVAssetWriterInput, at time: CMTime) {
    add(input)
    startWriting()
    startSession(atSourceTime: time)
  }
}
