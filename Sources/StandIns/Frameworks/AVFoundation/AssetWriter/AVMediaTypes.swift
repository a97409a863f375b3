import Foundation

// Models the media types in AVMediaFormat.h and the codecs in AVVideoSettings.h.

public struct AVMediaType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static let video = AVMediaType(rawValue: "vide")
  public static let audio = AVMediaType(rawValue: "soun")
  public static let text = AVMediaType(rawValue: "text")
  public static let closedCaption = AVMediaType(rawValue: "clcp")
  public static let subtitle = AVMediaType(rawValue: "sbtl")
  public static let timecode = AVMediaType(rawValue: "tmcd")
  public static let metadata = AVMediaType(rawValue: "meta")
  public static let muxed = AVMediaType(rawValue: "muxx")
}

public struct AVFileType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }

  public static let mov = AVFileType(rawValue: "com.apple.quicktime-movie")
  public static let mp4 = AVFileType(rawValue: "public.mpeg-4")
  public static let m4v = AVFileType(rawValue: "com.apple.m4v-video")
  public static let m4a = AVFileType(rawValue: "com.apple.m4a-audio")
  /// Not written here.
  public static let mobile3GPP = AVFileType(rawValue: "public.3gpp")
  public static let caf = AVFileType(rawValue: "com.apple.coreaudio-format")
  public static let wav = AVFileType(rawValue: "com.microsoft.waveform-audio")
  public static let aiff = AVFileType(rawValue: "public.aiff-audio")
  /// Not written here.
  public static let aifc = AVFileType(rawValue: "public.aifc-audio")
  public static let mp3 = AVFileType(rawValue: "public.mp3")

  /// ffmpeg's name of the format; `nil` if the stand-in does not write it.
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

public struct AVVideoCodecType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  public static let h264 = AVVideoCodecType(rawValue: "avc1")
  public static let hevc = AVVideoCodecType(rawValue: "hvc1")
  /// Not encoded in a movie here.
  public static let jpeg = AVVideoCodecType(rawValue: "jpeg")
  /// Not encoded here.
  public static let proRes422 = AVVideoCodecType(rawValue: "apcn")
  /// Not encoded here.
  public static let proRes4444 = AVVideoCodecType(rawValue: "ap4h")
}

public let AVVideoCodecH264: String = "avc1"
public let AVVideoCodecHEVC: String = "hvc1"
