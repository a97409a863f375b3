@_exported import Foundation

/// Has only the media types that broadcasts use. An initialiser returns `nil` for all other types.
public struct UTType: Hashable, Sendable {
  public let identifier: String
  public let preferredFilenameExtension: String?
  public let preferredMIMEType: String?
  private let parents: [String]

  private init(
    _ identifier: String, _ ending: String?, _ mime: String?, _ parents: String...
  ) {
    self.identifier = identifier
    (preferredFilenameExtension, preferredMIMEType, self.parents) = (ending, mime, parents)
  }

  public static let data = UTType("public.data", nil, nil)
  public static let image = UTType("public.image", nil, nil, "public.data")
  public static let jpeg = UTType("public.jpeg", "jpeg", "image/jpeg", "public.image", "public.data")
  public static let png = UTType("public.png", "png", "image/png", "public.image", "public.data")
  public static let heic = UTType("public.heic", "heic", "image/heic", "public.image", "public.data")
  public static let gif = UTType("com.compuserve.gif", "gif", "image/gif", "public.image", "public.data")
  public static let tiff = UTType("public.tiff", "tiff", "image/tiff", "public.image", "public.data")
  public static let movie = UTType("public.movie", nil, nil, "public.data")
  public static let video = UTType("public.video", nil, nil, "public.movie", "public.data")
  public static let audio = UTType("public.audio", nil, nil, "public.data")
  public static let mpeg4Movie = UTType("public.mpeg-4", "mp4", "video/mp4", "public.movie", "public.data")
  public static let quickTimeMovie = UTType(
    "com.apple.quicktime-movie", "mov", "video/quicktime", "public.movie", "public.data")
  public static let mpeg4Audio = UTType(
    "public.mpeg-4-audio", "mp4", "audio/mp4", "public.audio", "public.data")
  public static let wav = UTType(
    "com.microsoft.waveform-audio", "wav", "audio/vnd.wave", "public.audio", "public.data")
  public static let mp3 = UTType("public.mp3", "mp3", "audio/mpeg", "public.audio", "public.data")
  public static let text = UTType("public.text", nil, nil, "public.data")
  public static let plainText = UTType("public.plain-text", "txt", "text/plain", "public.text", "public.data")
  public static let json = UTType("public.json", "json", "application/json", "public.text", "public.data")
  public static let propertyList = UTType("com.apple.property-list", "plist", nil, "public.data")
  public static let pdf = UTType("com.adobe.pdf", "pdf", "application/pdf", "public.data")
  public static let folder = UTType("public.folder", nil, nil)
  public static let url = UTType("public.url", nil, nil, "public.data")

  private static let known = [
    data, image, jpeg, png, heic, gif, tiff, movie, video, audio, mpeg4Movie, quickTimeMovie, mpeg4Audio, wav,
    mp3, text, plainText, json, propertyList, pdf, folder, url,
  ]

  public init?(_ identifier: String) { self.init { $0.identifier == identifier } }
  public init?(filenameExtension: String) {
    let ending = filenameExtension.lowercased() == "jpg" ? "jpeg" : filenameExtension.lowercased()
    self.init { $0.preferredFilenameExtension == ending }
  }
  public init?(mimeType: String) { self.init { $0.preferredMIMEType == mimeType } }

  private init?(where matches: (UTType) -> Bool) {
    guard let type = Self.known.first(where: matches) else { return nil }
    self = type
  }

  public func conforms(to type: UTType) -> Bool { self == type || parents.contains(type.identifier) }
}
