import AVFoundation
import PixelAccess
import TestSupport

/// Returns the luma of picture `number`: a grey that the encoder keeps, and that differs from the next picture's.
func grey(_ number: Int) -> UInt8 { UInt8(60 + 20 * (number % 8)) }

/// Returns a video sample of one grey.
func videoSample(_ number: Int, at time: CMTime, width: Int = 160, height: Int = 120) throws -> CMSampleBuffer
{
  try videoSample(try picture(grey(number), width: width, height: height), at: time)
}

func picture(_ grey: UInt8, width: Int = 160, height: Int = 120) throws -> CVPixelBuffer {
  try makeFilledPicture(width, height, luma: grey, chroma: 128)
}

func videoSample(_ buffer: CVPixelBuffer, at time: CMTime) throws -> CMSampleBuffer {
  try makeSample(buffer, orientation: nil, time: time)
}

/// Returns an input for H.264 with 160 × 120 pixels.
func videoInput(_ additions: [String: Any] = [:]) -> AVAssetWriterInput {
  let settings: [String: Any] = [
    AVVideoCodecKey: AVVideoCodecH264, AVVideoWidthKey: 160, AVVideoHeightKey: 120,
  ]
  return AVAssetWriterInput(mediaType: .video, outputSettings: settings.merging(additions) { $1 })
}

/// Returns a packet of a stereo tone.
func audioSample(
  from first: Int, count: Int = 1024, rate: Double = 44_100, start: CMTime, isBigEndian: Bool = true
) throws -> CMSampleBuffer {
  let bytes = (first..<(first + count)).flatMap { index -> [UInt8] in
    let value = UInt16(bitPattern: Int16(sin(Double(index) / rate * 440 * 2 * .pi) * 8000))
    let (low, high) = (UInt8(truncatingIfNeeded: value), UInt8(value >> 8))
    return isBigEndian ? [high, low, high, low] : [low, high, low, high]
  }
  return try makeAudioSample(
    bytes, sampleRate: rate, channelCount: 2, isBigEndian: isBigEndian,
    at: start + CMTime(value: CMTimeValue(first), timescale: CMTimeScale(rate)))
}

/// The content of a movie, as ffprobe and ffmpeg read it.
struct ReadMovie {
  /// The codec of each stream.
  let codecs: [String]
  let size: [Int]
  /// The clockwise rotation that a player applies, in degrees.
  let rotation: Int
  /// The timestamps of the pictures, in milliseconds.
  let times: [Int]
  /// The luma in the middle of each picture.
  let greys: [UInt8]
  /// The audio, as floating-point samples of one channel at 44.1 kHz.
  let audio: [Float]

  init(_ path: String, in folder: TemporaryFolder) async throws {
    func run(_ arguments: [String]) async throws -> String {
      let run = try await FinishedProgram(URL(filePath: "/usr/bin/env"), arguments, in: folder.path)
      #expect(run.exitCode == 0 && run.errors.isEmpty, "\(run.errors)")
      return run.output
    }
    let probe = ["ffprobe", "-v", "error", "-of", "json", "-show_streams", path]
    let object = try JSONSerialization.jsonObject(with: Data(try await run(probe).utf8)) as? [String: Any]
    let streams = try #require(object?["streams"] as? [[String: Any]])
    codecs = streams.compactMap { $0["codec_name"] as? String }
    let video = streams.first { $0["codec_type"] as? String == "video" }
    size = ["width", "height"].compactMap { video?[$0] as? Int }
    let sides = video?["side_data_list"] as? [[String: Any]]
    rotation = -(sides?.compactMap { $0["rotation"] as? Int }.first ?? 0)
    guard video != nil else {
      (times, greys) = ([], [])
      audio = try await Self.audio(of: path, codecs, in: folder, run)
      return
    }
    let packets = ["ffprobe", "-v", "error", "-select_streams", "v", "-of", "csv=p=0"]
    times = try await run(packets + ["-show_entries", "packet=pts_time", path]).split(separator: "\n")
      .compactMap { Double($0.prefix { "0123456789.-".contains($0) }) }.map { Int(($0 * 1000).rounded()) }
    _ = try await run(
      ["ffmpeg", "-v", "error", "-y", "-i", path, "-vf", "setpts=N/25/TB,crop=2:2", "-r", "25"]
        + ["-pix_fmt", "yuvj420p", "-f", "rawvideo", "video.yuv"])
    let pixels = [UInt8](try Data(contentsOf: URL(filePath: folder("video.yuv"))))
    greys = stride(from: 0, to: pixels.count, by: 6).map { pixels[$0] }
    audio = try await Self.audio(of: path, codecs, in: folder, run)
  }

  private static func audio(
    of path: String, _ codecs: [String], in folder: TemporaryFolder, _ run: ([String]) async throws -> String
  ) async throws -> [Float] {
    guard codecs.contains(where: { $0 == "aac" || $0.hasPrefix("pcm") }) else { return [] }
    _ = try await run(
      ["ffmpeg", "-v", "error", "-y", "-i", path, "-vn", "-af", "pan=mono|c0=c0"]
        + ["-ar", "44100", "-f", "f32le", "audio.f32"])
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder("audio.f32"))))
    return stride(from: 0, to: bytes.count - 3, by: 4).map { place in
      Float(bitPattern: (0..<4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[place + $1]) })
    }
  }
}
