import Foundation

// Models the media types of AVMediaFormat.h and the codecs of AVVideoSettings.h.

/// The kind of media of a track.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  /// The four characters of the kind.
  public let rawValue: String
  /// Creates a kind from its four characters.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a kind from its four characters.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// Video.
  public static let video = AVMediaType(rawValue: "vide")
  /// Audio.
  public static let audio = AVMediaType(rawValue: "soun")
  /// Text.
  public static let text = AVMediaType(rawValue: "text")
  /// Closed captions.
  public static let closedCaption = AVMediaType(rawValue: "clcp")
  /// Subtitles.
  public static let subtitle = AVMediaType(rawValue: "sbtl")
  /// A time code.
  public static let timecode = AVMediaType(rawValue: "tmcd")
  /// Metadata.
  public static let metadata = AVMediaType(rawValue: "meta")
  /// Video and audio in one.
  public static let muxed = AVMediaType(rawValue: "muxx")
}

/// A format of files, as a uniform type identifier.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
  /// The identifier.
  public let rawValue: String
  /// Creates a format from its identifier.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// Creates a format from its identifier.
  public init(_ rawValue: String) { self.rawValue = rawValue }

  /// A QuickTime movie.
  public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
  /// MPEG-4.
  public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
  /// MPEG-4 of iTunes.
  public static let m4v = AVFileType(rawValue: "com.apple.m4v-video")
  /// MPEG-4 of audio.
  public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
  /// 3GPP, which the stand-in does not write.
  public static let mobile3GPP = AVFileType(rawValue: "public.3gpp")
  /// Core Audio's format.
  public static let caf = AVFileType(rawValue: "com.apple.coreaudio-format")
  /// Waves.
  public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
  /// AIFF.
  public static let aiff = AVFileType(rawValue: "public.aiff-audio")
  /// AIFF-C, which the stand-in does not write.
  public static let aifc = AVFileType(rawValue: "public.aifc-audio")
  /// MPEG layer 3, which no writer writes.
  public static let mp3 = AVFileType(rawValue: "public.mp3")

  /// The name that ffmpeg has for the format; `nil` for one that is not written.
  var container: String? {
    switch self {
    case .mov: "mov"
    case .mp4, .m4v: "mp4"
    case .m4a: "ipod"
    case .caf: "caf"
    case .wav: "wav"
    case .aiff: "aiff"
    default: nil
    }
  }
}

/// A codec of video.
public struct AVVideoCodecType: RawRepresentable, Hashable, Sendable {
  /// The four characters of the codec.
  public let rawValue: String
  /// Creates a codec from its four characters.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// H.264.
  public static let h264 = AVVideoCodecType(rawValue: "avc1")
  /// HEVC.
  public static let hevc = AVVideoCodecType(rawValue: "hvc1")
  /// JPEG, which the stand-in does not encode in a movie.
  public static let jpeg = AVVideoCodecType(rawValue: "jpeg")
  /// Apple ProRes 422, which the stand-in does not encode.
  public static let proRes422 = AVVideoCodecType(rawValue: "apcn")
  /// Apple ProRes 4444, which the stand-in does not encode.
  public static let proRes4444 = AVVideoCodecType(rawValue: "ap4h")
}

/// H.264, by its old name.
public let AVVideoCodecH264: String = "avc1"
/// HEVC, by its old name.
public let AVVideoCodecHEVC: String = "hvc1"
