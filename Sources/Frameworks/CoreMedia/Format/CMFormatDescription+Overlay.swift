// Models what Core Media's Swift overlay adds to CMFormatDescription: the codes as types.

extension CMFormatDescription {
  /// The kind of media: video or audio.
  public var mediaType: MediaType { MediaType(rawValue: mediaCode) }

  /// The pixel format of video, the codec of encoded video, or the encoding of audio.
  public var mediaSubType: MediaSubType { MediaSubType(rawValue: subTypeCode) }

  /// A kind of media.
  public struct MediaType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Core Media's code.
    public var rawValue: FourCharCode

    /// Creates a kind from Core Media's code.
    public init(rawValue: FourCharCode) { self.rawValue = rawValue }

    /// The code in single quotation marks.
    public var description: String { quoted(rawValue) }

    /// Video.
    public static let video = MediaType(rawValue: kCMMediaType_Video)
    /// Audio.
    public static let audio = MediaType(rawValue: kCMMediaType_Audio)
  }

  /// A format of media.
  public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// Core Media's code.
    public var rawValue: FourCharCode

    /// Creates a format from Core Media's code.
    public init(rawValue: FourCharCode) { self.rawValue = rawValue }

    /// The code in single quotation marks.
    public var description: String { quoted(rawValue) }

    /// Linear PCM.
    public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
    /// AAC.
    public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
    /// Pixels of blue, green, red and alpha.
    public static let pixelFormat_32BGRA = MediaSubType(rawValue: kCVPixelFormatType_32BGRA)
    /// H.264.
    public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
    /// HEVC.
    public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)
  }
}

private func quoted(_ code: FourCharCode) -> String {
  let characters = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
  return "'\(String(decoding: characters, as: UTF8.self))'"
}
