import Foundation
import PixelAccess
import VideoToolbox

/// Sends the samples of one track to its encoder. The encoder starts with the first sample.
struct TrackFeed: Sendable {
  private let mediaType: AVMediaType
  // UNSAFE: settings are read only.
  nonisolated(unsafe) private let settings: [String: Any]?
  private var encoder: TrackEncoder?
  private var input: EncoderInput?
  private var lastTime = CMTime.invalid
  private var lastTicks: UInt64?
  private var hasEnded = false
  private var audio: PCMReader?

  init(_ mediaType: AVMediaType, _ settings: [String: Any]?) {
    self.mediaType = mediaType
    unsafe self.settings = settings
  }

  /// Returns the encoded track; `nil` if there was no sample.
  func track(_ transform: CGAffineTransform) -> MovieFile.Track? {
    encoder.map { MovieFile.Track(file: $0.output, container: $0.container, transform: transform) }
  }

  /// Sends a sample with its time since the start of the session.
  mutating func append(_ sample: CMSampleBuffer, at time: CMTime, by program: EncoderProgram) throws {
    if let image = sample.imageBuffer {
      try append(image, at: time, by: program)
    } else if mediaType == .audio {
      try appendAudio(sample, at: time, by: program)
    } else {
      throw AVError(.unknown, "the emulator encodes pictures itself, and does not accept encoded pictures")
    }
  }

  /// Returns the image in the size of the first image. Throws if it cannot be scaled.
  private func scaled(_ image: CVPixelBuffer) throws -> CVPixelBuffer {
    guard let input, let own = EncoderInput(of: image), own != input else { return image }
    var scaler = NV12Scaler()
    let part = PixelRect(x: 0, y: 0, width: own.width, height: own.height)
    let scaled = CVPixelBuffer.make(
      width: input.width, height: input.height, pixelFormat: CVPixelBufferGetPixelFormatType(image))
    guard own.fourCC == input.fourCC, let scaled, scaler.scale(image, part: part, to: scaled) else {
      throw AVError(.unknown, "the emulator does not convert images whose size or format changes in 32BGRA")
    }
    return scaled
  }

  /// Sends a frame with its time since the start of the session.
  mutating func append(_ image: CVPixelBuffer, at time: CMTime, by program: EncoderProgram) throws {
    guard !hasEnded else { return }
    let image = try scaled(image)
    guard let own = EncoderInput(of: image) else {
      throw AVError(.unknown, "only 420f, 420v and 32BGRA are encoded here")
    }
    let ticks = try advance(to: time)
    if encoder == nil {
      guard let settings = unsafe settings else { return }
      input = own
      encoder = try TrackEncoder(program, TrackSettings.videoArguments(settings, own), own.track)
    }
    guard own == input else {
      throw AVError(.unknown, "the emulator does not convert pixel buffers whose size or format changes")
    }
    try encoder?.send(image, own, ticks: ticks)
  }

  private mutating func appendAudio(_ sample: CMSampleBuffer, at time: CMTime, by program: EncoderProgram)
    throws
  {
    guard !hasEnded, let stream = sample.formatDescription?.audioStreamBasicDescription else { return }
    let ticks = try advance(to: time)
    if audio == nil {
      guard let reader = PCMReader(stream) else {
        throw AVError(.unknown, "the emulator encodes linear PCM of 16 or 32 bits")
      }
      audio = reader
      let arguments = unsafe TrackSettings.audioArguments(settings, stream)
      encoder = try TrackEncoder(
        program, arguments, .audio(rate: stream.mSampleRate, channels: Int(stream.mChannelsPerFrame)))
    }
    guard let bytes = try audio?.read(sample, stream) else {
      throw AVError(.unknown, "a sample is not linear PCM of 16 or 32 bits")
    }
    try encoder?.send(bytes, ticks: ticks)
  }

  /// Returns the time of a sample in ticks. It is later than the time of the previous sample.
  private mutating func advance(to time: CMTime) throws -> UInt64 {
    guard !lastTime.isNumeric || time > lastTime else {
      throw AVError(
        .unknown, "the times of the samples do not increase", underlying: AVAssetWriterRecord.wrongTimes)
    }
    lastTime = time
    let exact = UInt64(min(max(0, time.seconds), 1e9) * Double(RawMatroska.ticksPerSecond) + 0.5)
    let ticks = max(exact, lastTicks.map { $0 + 1 } ?? 0)
    lastTicks = ticks
    return ticks
  }

  mutating func end() throws {
    hasEnded = true
    try encoder?.end()
  }

  mutating func cancel() {
    hasEnded = true
    encoder?.cancel()
    encoder = nil
  }
}
