// Models the additions of Core Media's Swift overlay to CMFormatDescription: the codes as types.

extension CMFormatDescription {
  public convenience init(imageBuffer: CVImageBuffer) throws { self.init(of: imageBuffer) }

  convenience init(of imageBuffer: CVImageBuffer) {
    self.init(
      mediaSubType: CVPixelBufferGetPixelFormatType(imageBuffer), dimensions: imageBuffer.dimensions,
      extensions: Extensions(imageBuffer))
  }

  public var mediaType: MediaType { MediaType(rawValue: mediaCode) }
  public var mediaSubType: MediaSubType { MediaSubType(rawValue: subTypeCode) }

  public struct MediaType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: FourCharCode

    public init(rawValue: FourCharCode) { self.rawValue = rawValue }

    public var description: String { quoted(rawValue) }

    public static let video = MediaType(rawValue: kCMMediaType_Video)
    public static let audio = MediaType(rawValue: kCMMediaType_Audio)
  }

  public struct MediaSubType: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public var rawValue: FourCharCode

    public init(rawValue: FourCharCode) { self.rawValue = rawValue }

    public var description: String { quoted(rawValue) }

    public static let linearPCM = MediaSubType(rawValue: kAudioFormatLinearPCM)
    public static let mpeg4AAC = MediaSubType(rawValue: kAudioFormatMPEG4AAC)
    public static let pixelFormat_32BGRA = MediaSubType(rawValue: kCVPixelFormatType_32BGRA)
    public static let h264 = MediaSubType(rawValue: kCMVideoCodecType_H264)
    public static let hevc = MediaSubType(rawValue: kCMVideoCodecType_HEVC)
  }
}

private func quoted(_ code: FourCharCode) -> String {
  let characters = (0..<4).map { UInt8(truncatingIfNeeded: code >> (24 - 8 * $0)) }
  return "'\(String(decoding: characters, as: UTF8.self))'"
}
