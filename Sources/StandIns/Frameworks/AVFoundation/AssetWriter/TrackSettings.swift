import Foundation
import VideoToolbox

/// Converts the settings of a track to arguments of ffmpeg.
enum TrackSettings {
  /// Returns the message of the exception that AVFoundation raises for the settings; `nil` if they are valid.
  /// - Parameter hasHint: whether missing settings of audio are taken from a format of the source.
  static func mistake(in settings: [String: Any]?, _ type: AVMediaType, hasHint: Bool) -> String? {
    guard let settings else { return nil }
    let keys =
      switch type {
      case .video: [AVVideoCodecKey, AVVideoWidthKey, AVVideoHeightKey]
      case .audio where hasHint: [AVFormatIDKey]
      case .audio:
        // Apple documents further required keys for linear PCM. It is not known what a device does without them.
        [AVFormatIDKey, AVSampleRateKey, AVNumberOfChannelsKey]
      default: [String]()
      }
    for key in keys where settings[key] == nil {
      return "Output settings dictionary must contain a value for the key \(key)"
    }
    guard type == .video else { return nil }
    for key in [AVVideoWidthKey, AVVideoHeightKey] where !(1...16_384).contains(integer(settings[key]) ?? 0) {
      return "Output settings contain an invalid value for the key \(key)"
    }
    return nil
  }

  /// Returns whether the emulator can write tracks with these settings.
  static func isSupported(_ settings: [String: Any]?, _ type: AVMediaType) -> Bool {
    guard let settings else { return type == .audio }
    guard mistake(in: settings, type, hasHint: true) == nil else { return false }
    return switch type {
    case .video: codec(settings).map { [.h264, .hevc].contains($0) } == true
    case .audio:
      [kAudioFormatMPEG4AAC, kAudioFormatLinearPCM].contains(
        integer(settings[AVFormatIDKey]).map(UInt32.init(truncatingIfNeeded:)))
    default: false
    }
  }

  private static func codec(_ settings: [String: Any]) -> AVVideoCodecType? {
    settings[AVVideoCodecKey] as? AVVideoCodecType
      ?? (settings[AVVideoCodecKey] as? String).map(AVVideoCodecType.init(rawValue:))
  }

  static func integer(_ value: Any?) -> Int? {
    Double(number: value).flatMap { Int(exactly: $0.rounded()) }
  }

  /// Returns the arguments that encode video.
  static func videoArguments(_ settings: [String: Any], _ input: EncoderInput) -> [String] {
    let size = CMVideoDimensions(
      width: Int32(integer(settings[AVVideoWidthKey]) ?? 0) & ~1,
      height: Int32(integer(settings[AVVideoHeightKey]) ?? 0) & ~1)
    var encoder = EncoderSettings(size: size)
    encoder.isHEVC = codec(settings) == .hevc
    switch settings[AVVideoScalingModeKey] as? String {
    case AVVideoScalingModeResizeAspect, AVVideoScalingModeFit: encoder.scaling = .fitted
    case AVVideoScalingModeResizeAspectFill: encoder.scaling = .filled
    default: break
    }
    // Players seek to key frames.
    var properties: [String: Any] = [AVVideoMaxKeyFrameIntervalKey: 60]
    properties.merge(settings[AVVideoCompressionPropertiesKey] as? [String: Any] ?? [:]) { $1 }
    let seconds = Double(
      number: properties.removeValue(forKey: AVVideoMaxKeyFrameIntervalDurationKey))
    for (key, value) in properties where encoder.set(key, value) != 0 {
      NSLog(
        "%@", "AVAssetWriterInput: the property \(key) of the encoder has no effect with the value \(value)")
    }
    // The rate in the stream becomes the duration of the last frame.
    let filter = encoder.isHEVC ? "hevc_metadata=tick_rate=60" : "h264_metadata=tick_rate=120"
    let arguments = encoder.encodingArguments(for: input) + ["-bsf:v", filter]
    guard let seconds, seconds > 0 else { return arguments }
    return arguments + ["-force_key_frames", "expr:gte(t,n_forced*\(seconds))"]
  }

  /// Returns the arguments that encode audio. Without settings, the audio keeps the rate and the channels of the source.
  static func audioArguments(
    _ settings: [String: Any]?, _ source: AudioStreamBasicDescription
  ) -> [String] {
    let rate = Double(number: settings?[AVSampleRateKey]) ?? source.mSampleRate
    let channels = integer(settings?[AVNumberOfChannelsKey]) ?? Int(source.mChannelsPerFrame)
    var arguments = [
      "-hide_banner", "-loglevel", "error", "-probesize", "32", "-analyzeduration", "0", "-f", "matroska",
      "-i",
      "pipe:0",
      // Fills missing packets with silence, so that the audio after them stays in time.
      "-af", "aresample=async=1", "-ar", "\(Int(clamping: rate.rounded()))", "-ac", "\(channels)",
    ]
    guard let settings, integer(settings[AVFormatIDKey]) == Int(kAudioFormatMPEG4AAC) else {
      let bits = integer(settings?[AVLinearPCMBitDepthKey]) ?? Int(source.mBitsPerChannel)
      let isFloat =
        (settings?[AVLinearPCMIsFloatKey] as? NSNumber)?.boolValue
        ?? (source.mFormatFlags & kAudioFormatFlagIsFloat != 0)
      let isBig = (settings?[AVLinearPCMIsBigEndianKey] as? NSNumber)?.boolValue == true
      let kind = isFloat ? "f" : "s"
      return arguments + [
        "-c:a", "pcm_\(kind)\([16, 24, 32].contains(bits) ? bits : 16)\(isBig ? "be" : "le")",
      ]
    }
    arguments += ["-c:a", "aac"]
    if let bits = integer(settings[AVEncoderBitRateKey])
      ?? integer(settings[AVEncoderBitRatePerChannelKey]).map({ Int(clamping: Double($0) * Double(channels)) }
      )
    {
      arguments += ["-b:a", "\(bits)"]
    }
    return arguments
  }
}
