import CoreMedia
import Foundation
import PixelAccess

/// Converts the properties of a session to arguments of ffmpeg.
package struct EncoderSettings: Sendable {
  /// The size of the encoded frames, in pixels (even numbers).
  let size: CMVideoDimensions
  private var profile: (name: String, level: String?)?
  private var bitRate: Int?
  private var rateLimit: (bytes: Double, seconds: Double)?
  private var quality: Double?
  private var keyFrameInterval = 0
  private var keyFrameSeconds = 0.0
  private var isEachFrameKey = false
  private var frameRate: Double?
  private var entropyMode: String?
  /// Whether the codec is HEVC, otherwise H.264.
  package var isHEVC = false
  var codecName: String { isHEVC ? "HEVC" : "H.264" }
  /// The library with which ffmpeg encodes.
  var library: String { isHEVC ? "libx265" : "libx264" }
  package var scaling = Scaling.stretched

  /// How images are scaled whose aspect ratio differs from the encoded frames.
  package enum Scaling: Sendable {
    case stretched, fitted, filled

    fileprivate func filters(_ size: CMVideoDimensions, isFullRange: Bool) -> String {
      let (width, height, range) = (size.width, size.height, isFullRange ? "pc" : "tv")
      return switch self {
      case .stretched: "scale=\(width):\(height):out_range=\(range)"
      case .fitted:
        "scale=\(width):\(height):out_range=\(range):force_original_aspect_ratio=decrease,"
          + "pad=\(width):\(height):(ow-iw)/2:(oh-ih)/2,setsar=1"
      case .filled:
        "scale=\(width):\(height):out_range=\(range):force_original_aspect_ratio=increase,crop=\(width):\(height),setsar=1"
      }
    }
  }

  package init(size: CMVideoDimensions) { self.size = size }

  /// Sets a property; `nil` resets it.
  package mutating func set(_ key: String, _ value: Any?) -> OSStatus {
    let number = Double(number: value)
    /// Returns whether the value is a number with `condition`, or `nil`.
    func isValid(_ condition: (Double) -> Bool) -> Bool { value == nil || number.map(condition) == true }
    switch key {
    case kVTCompressionPropertyKey_RealTime, kVTCompressionPropertyKey_AllowFrameReordering,
      kVTCompressionPropertyKey_MaxFrameDelayCount,
      kVTCompressionPropertyKey_PrioritizeEncodingSpeedOverQuality,
      kVTCompressionPropertyKey_MaximizePowerEfficiency:
      guard isValid({ _ in true }) else { return kVTParameterErr }
    case kVTCompressionPropertyKey_PixelTransferProperties:
      let properties = value as? [String: Any] ?? [:]
      guard
        properties.allSatisfy({
          $0 == kVTPixelTransferPropertyKey_ScalingMode && $1 as? String == kVTScalingMode_Normal
        })
      else { return kVTPropertyNotSupportedErr }
    case kVTCompressionPropertyKey_ProfileLevel:
      guard let value else {
        profile = nil
        break
      }
      guard let new = (value as? String).flatMap(profile(named:)) else { return kVTParameterErr }
      profile = new
    case kVTCompressionPropertyKey_AverageBitRate:
      guard isValid({ (0...1e9).contains($0) }) else { return kVTParameterErr }
      bitRate = number.flatMap { $0 < 1000 ? nil : Int($0) }
    case kVTCompressionPropertyKey_DataRateLimits:
      guard let limit = Self.rateLimit(value) else { return kVTParameterErr }
      rateLimit = limit.seconds > 0 ? limit : nil
    case kVTCompressionPropertyKey_Quality:
      guard isValid({ (0...1).contains($0) }) else { return kVTParameterErr }
      quality = number
    case kVTCompressionPropertyKey_MaxKeyFrameInterval:
      guard isValid({ (0...Double(Int32.max)).contains($0) }) else { return kVTParameterErr }
      keyFrameInterval = Int(number ?? 0)
    case kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration:
      guard isValid({ $0 >= 0 }) else { return kVTParameterErr }
      keyFrameSeconds = number ?? 0
    case kVTCompressionPropertyKey_AllowTemporalCompression:
      guard isValid({ _ in true }) else { return kVTParameterErr }
      isEachFrameKey = number == 0
    case kVTCompressionPropertyKey_ExpectedFrameRate:
      guard isValid({ (0...1000).contains($0) }) else { return kVTParameterErr }
      frameRate = number
    case kVTCompressionPropertyKey_H264EntropyMode where !isHEVC:
      let modes = [kVTH264EntropyMode_CAVLC, kVTH264EntropyMode_CABAC]
      guard value == nil || (value as? String).map(modes.contains) == true else { return kVTParameterErr }
      entropyMode = value as? String
    default: return kVTPropertyNotSupportedErr
    }
    return 0
  }

  /// Whether the maximum time between key frames has passed.
  func needsKeyFrame(at time: CMTime, after last: CMTime) -> Bool {
    keyFrameSeconds > 0 && last.isNumeric && time.seconds - last.seconds >= keyFrameSeconds
  }

  /// Returns the arguments that read `input` and write an ``EncodedStream``. Equal arguments mean that the encoder can be kept.
  func arguments(for input: EncoderInput) -> [String] {
    // NAL units with their lengths, and a hash after each frame. A data stream has a constant rate unless `-fps_mode`
    // is set (ffmpeg 5.1 or later).
    encodingArguments(for: input, hevcParameters: ["annexb=0", "hash=3", "repeat-headers=1"]) + [
      // An odd time forces a key frame.
      "-force_key_frames", "expr:mod(floor(t*\(RawMatroska.ticksPerSecond)+0.5),2)", "-flush_packets", "1",
    ]
      + (isHEVC
        ? ["-map", "0:v", "-fps_mode", "passthrough", "-f", "data"]
        : ["-flvflags", "no_duration_filesize+no_metadata+no_sequence_end", "-f", "flv"]) + ["pipe:1"]
  }

  /// Returns the arguments that read `input` and encode it, without the arguments for the output.
  package func encodingArguments(for input: EncoderInput, hevcParameters: [String] = []) -> [String] {
    let interval =
      isEachFrameKey ? "1" : keyFrameInterval > 0 ? "\(keyFrameInterval)" : isHEVC ? "-1" : "infinite"
    var parameters = ["scenecut=0", "keyint=\(interval)"]
    if let entropyMode {
      parameters.append("cabac=\(entropyMode == kVTH264EntropyMode_CABAC ? 1 : 0)")
    }
    var arguments = ["-hide_banner", "-loglevel", "error"]
    // Without these options, ffmpeg waits for further frames before it encodes the first.
    arguments += ["-probesize", "32", "-analyzeduration", "0", "-f", "matroska", "-i", "pipe:0"]
    // Not nv12: ffmpeg 5 would lose the chroma of full-range frames.
    arguments += ["-vf", scaling.filters(size, isFullRange: input.isFullRange), "-pix_fmt", "yuv420p"]
    arguments += ["-color_range", input.isFullRange ? "pc" : "tv"]
    if let matrix = input.matrix { arguments += ["-colorspace", matrix == .bt709 ? "bt709" : "smpte170m"] }
    // One thread encodes one slice per frame, as a device does. Even so, HEVC takes four times as long as H.264.
    arguments += ["-c:v", library, "-preset", isHEVC ? "ultrafast" : "superfast"]
    arguments += ["-tune", "zerolatency", "-threads", "1"]
    // Rate control needs a rate. Without one, it would use the time unit.
    parameters.append("fps=\(max(1, frameRate ?? 30))")
    if isHEVC {
      // The library would write its settings to stderr.
      parameters += ["log-level=error", "open-gop=0"] + hevcParameters
      // A forced key frame restarts the stream, as a key frame at the interval does.
      arguments += ["-forced-idr", "1"]
    }
    arguments += [isHEVC ? "-x265-params" : "-x264-params", parameters.joined(separator: ":")]
    if let profile { arguments += ["-profile:v", profile.name] }
    if let level = profile?.level { arguments += ["-level", level] }
    if let bitRate {
      arguments += ["-b:v", "\(bitRate)"]
    } else {
      // A quality of 0.6 gives the library's default of 23.
      arguments += ["-crf", "\(Int((50 - 45 * (quality ?? 0.6)).rounded()))"]
    }
    if let rateLimit {
      let bits = Int(min(rateLimit.bytes * 8, 1e9))
      arguments += [
        "-maxrate", "\(max(1000, Int(clamping: Double(bits) / rateLimit.seconds)))", "-bufsize",
        "\(max(1000, bits))",
      ]
    }
    // The times of the frames are kept, because the outputs have variable rates. No frame is dropped or repeated. Use only
    // options that exist in ffmpeg 4 to 9.
    return arguments + ["-enc_time_base", "1/\(RawMatroska.ticksPerSecond)"]
  }

  /// Returns the library's names for a profile and a level, such as `H264_High_4_1`.
  private func profile(named name: String) -> (name: String, level: String?)? {
    if isHEVC { return name == kVTProfileLevel_HEVC_Main_AutoLevel ? ("main", nil) : nil }
    let parts = name.split(separator: "_").map(String.init)
    let profiles = [
      "Baseline": "baseline", "ConstrainedBaseline": "baseline", "Main": "main", "High": "high",
      "ConstrainedHigh": "high",
    ]
    guard parts.count >= 3, parts[0] == "H264", let profile = profiles[parts[1]] else { return nil }
    if parts[2...] == ["AutoLevel"] { return (profile, nil) }
    return parts[2...].allSatisfy { Int($0) != nil } ? (profile, parts[2...].joined(separator: ".")) : nil
  }

  /// Returns the first pair of bytes and seconds; zeros for `nil` and for an empty list; `nil` for other values.
  private static func rateLimit(_ value: Any?) -> (bytes: Double, seconds: Double)? {
    guard let value else { return (0, 0) }
    guard let list = value as? [Any] else { return nil }
    let numbers = list.compactMap { Double(number: $0) }
    guard numbers.count == list.count, numbers.count.isMultiple(of: 2) else { return nil }
    guard let bytes = numbers.first else { return (0, 0) }
    return bytes > 0 && numbers[1] > 0 ? (bytes, numbers[1]) : nil
  }
}
