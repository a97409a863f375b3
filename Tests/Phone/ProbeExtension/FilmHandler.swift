import AVFoundation
import ReplayKit

/// Writes the movies `film1.mp4`, `film2.mp4` … with the screen and app audio, in the form that the setup value `form`
/// names.
final class FilmHandler: RPBroadcastSampleHandler {
  /// The forms before `unfinished` are correct; see `Docs/Check.md`.
  private enum Form: String {
    /// The movie keeps the pauses, or cuts them.
    case kept, cut
    /// A file for each part between pauses.
    case segments
    /// Every third frame at a tenth of its time, without audio.
    case lapse
    /// Only the time from 1 s to 2.5 s.
    case clip
    case silent
    /// The movie begins with a black second.
    case black
    case unfinished, unwaited
    /// Video and audio each begin at zero, and audio is a second late.
    case apart
    /// Pauses are cut twice.
    case twice
    /// Audio is written in every other second only.
    case gaps
    /// A file is written after the last call has returned.
    case late
  }

  private var form = Form.kept
  private var writer: AVAssetWriter?
  private var inputs: [RPSampleBufferType: AVAssetWriterInput] = [:]
  private var last: [RPSampleBufferType: Double] = [:]
  private var first: [RPSampleBufferType: Double] = [:]
  private var cut = 0.0
  private var wasPaused = false
  private var segment = 0
  private var pictures = 0

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    form = (setupInfo?["form"] as? String).flatMap(Form.init) ?? .kept
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard type != .audioMic, form != .lapse && form != .silent || type == .video else { return }
    pictures += type == .video ? 1 : 0
    if form == .lapse, pictures % 3 != 1 { return }
    let time = sampleBuffer.presentationTimeStamp.seconds
    if writer == nil {
      guard type == .video, let pixels = sampleBuffer.imageBuffer else { return }
      first[.video] = first[.video] ?? time
      if form == .clip, let first = first[.video], !(first + 1..<first + 2.5).contains(time) { return }
      start(pixels, at: form == .apart || form == .lapse ? 0 : time - (form == .black ? 1 : 0))
    }
    if form == .clip, let first = first[.video], time > first + 2.5 { return finish() }
    if wasPaused, let last = last.values.max() {
      // Audio that arrives now may have begun before this sample.
      cut += (time - last - 0.05) * (form == .twice ? 2 : 1)
      wasPaused = false
    }
    (last[type], first[type]) = (time, first[type] ?? time)
    if form == .gaps, type == .audioApp, Int(time) % 2 == 0 { return }
    append(sampleBuffer, type, at: place(of: time, type))
  }

  private func place(of time: Double, _ type: RPSampleBufferType) -> Double {
    switch form {
    case .cut, .twice: time - cut
    case .lapse: (time - (first[.video] ?? 0)) / 10
    case .apart: time - (first[type] ?? 0) + (type == .audioApp ? 1 : 0)
    default: time
    }
  }

  private func append(_ sample: CMSampleBuffer, _ type: RPSampleBufferType, at time: Double) {
    guard let input = inputs[type], input.isReadyForMoreMediaData else { return }
    var timing = CMSampleTimingInfo()
    timing.presentationTimeStamp = CMTime(seconds: time, preferredTimescale: 1_000_000)
    if type != .video {
      timing.duration = CMTimeMultiplyByRatio(
        sample.duration, multiplier: 1, divisor: Int32(sample.numSamples))
    }
    do { input.append(try CMSampleBuffer(copying: sample, withNewTiming: [timing])) } catch {
      finishBroadcastWithError(error)
    }
  }

  override func broadcastPaused() {
    if form == .segments { finish() }
    wasPaused = form == .cut || form == .twice
  }

  override func broadcastFinished() {
    if form != .unfinished { finish() }
    guard form == .late else { return }
    let url = FileManager.default.temporaryDirectory.appending(path: "result.json")
    DispatchQueue.global().asyncAfter(deadline: .now() + 0.3) {
      do { try Data("{}".utf8).write(to: url) } catch { NSLog("%@", "\(error)") }
    }
  }

  private func finish() {
    let isComplete = DispatchSemaphore(value: 0)
    writer?.finishWriting { isComplete.signal() }
    if writer != nil, form != .unwaited { isComplete.wait() }
    if form != .unwaited { (writer, inputs) = (nil, [:]) }
  }

  private func start(_ pixels: CVPixelBuffer, at time: Double) {
    segment += 1
    let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
    let url = folder.appending(path: "film\(segment).mp4")
    do {
      if FileManager.default.fileExists(atPath: url.path) { try FileManager.default.removeItem(at: url) }
      let writer = try AVAssetWriter(outputURL: url, fileType: .mp4)
      inputs[.video] = AVAssetWriterInput(
        mediaType: .video,
        outputSettings: [
          AVVideoCodecKey: AVVideoCodecType.h264, AVVideoWidthKey: CVPixelBufferGetWidth(pixels),
          AVVideoHeightKey: CVPixelBufferGetHeight(pixels),
        ])
      if form != .lapse, form != .silent, form != .clip {
        inputs[.audioApp] = AVAssetWriterInput(
          mediaType: .audio,
          outputSettings: [
            AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 2,
          ])
      }
      for input in inputs.values { writer.add(input) }
      writer.startWriting()
      writer.startSession(atSourceTime: CMTime(seconds: time, preferredTimescale: 1_000_000))
      self.writer = writer
    } catch { finishBroadcastWithError(error) }
  }
}
