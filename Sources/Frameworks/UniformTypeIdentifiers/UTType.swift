import Foundation

/// A type of data. Models the structure of UniformTypeIdentifiers with the types of media that broadcasts meet.
public struct UTType: Hashable, Sendable {
  /// The identifier.
  public let identifier: String
  /// The usual end of a file's name; `nil` without one.
  public let preferredFilenameExtension: String?
  /// The usual type of MIME; `nil` without one.
  public let preferredMIMEType: String?
  private let parents: [String]

  private init(_ identifier: String, _ ending: String?, _ mime: String?, _ parents: [String] = []) {
    self.identifier = identifier
    (preferredFilenameExtension, preferredMIMEType, self.parents) = (ending, mime, parents)
  }

  /// Any data.
  public static let data = UTType("public.data", nil, nil)
  /// Any picture.
  public static let image = UTType("public.image", nil, nil, ["public.data"])
  /// JPEG.
  public static let jpeg = UTType("public.jpeg", "jpeg", "image/jpeg", ["public.image", "public.data"])
  /// PNG.
  public static let png = UTType("public.png", "png", "image/png", ["public.image", "public.data"])
  /// HEIC.
  public static let heic = UTType("public.heic", "heic", "image/heic", ["public.image", "public.data"])
  /// GIF.
  public static let gif = UTType("com.compuserve.gif", "gif", "image/gif", ["public.image", "public.data"])
  /// TIFF.
  public static let tiff = UTType("public.tiff", "tiff", "image/tiff", ["public.image", "public.data"])
  /// Any movie with sound or without.
  public static let movie = UTType("public.movie", nil, nil, ["public.data"])
  /// Any video.
  public static let video = UTType("public.video", nil, nil, ["public.movie", "public.data"])
  /// Any audio.
  public static let audio = UTType("public.audio", nil, nil, ["public.data"])
  /// A movie of MPEG-4.
  public static let mpeg4Movie = UTType("public.mpeg-4", "mp4", "video/mp4", ["public.movie", "public.data"])
  /// A QuickTime movie.
  public static let quickTimeMovie = UTType(
    "com.apple.quicktime-movie", "mov", "video/quicktime", ["public.movie", "public.data"])
  /// Audio of MPEG-4.
  public static let mpeg4Audio = UTType(
    "public.mpeg-4-audio", "mp4", "audio/mp4", ["public.audio", "public.data"])
  /// Waves.
  public static let wav = UTType(
    "com.microsoft.waveform-audio", "wav", "audio/vnd.wave", ["public.audio", "public.data"])
  /// MPEG layer 3.
  public static let mp3 = UTType("public.mp3", "mp3", "audio/mpeg", ["public.audio", "public.data"])
  /// Any text.
  public static let text = UTType("public.text", nil, nil, ["public.data"])
  /// Text without format.
  public static let plainText = UTType(
    "public.plain-text", "txt", "text/plain", ["public.text", "public.data"])
  /// JSON.
  public static let json = UTType("public.json", "json", "application/json", ["public.text", "public.data"])
  /// A property list.
  public static let propertyList = UTType("com.apple.property-list", "plist", nil, ["public.data"])
  /// A PDF.
  public static let pdf = UTType("com.adobe.pdf", "pdf", "application/pdf", ["public.data"])
  /// Any folder.
  public static let folder = UTType("public.folder", nil, nil)
  /// An address.
  public static let url = UTType("public.url", nil, nil, ["public.data"])

  private static let known = [
    data, image, jpeg, png, heic, gif, tiff, movie, video, audio, mpeg4Movie, quickTimeMovie, mpeg4Audio, wav,
    mp3, text,
    plainText, json, propertyList, pdf, folder, url,
  ]

  /// Creates a type from its identifier; `nil` for one that the stand-in does not know.
  public init?(_ identifier: String) {
    guard let type = Self.known.first(where: { $0.identifier == identifier }) else { return nil }
    self = type
  }

  /// Creates the type of files with this end of the name; `nil` for one that the stand-in does not know.
  public init?(filenameExtension: String) {
    let ending = filenameExtension.lowercased() == "jpg" ? "jpeg" : filenameExtension.lowercased()
    guard let type = Self.known.first(where: { $0.preferredFilenameExtension == ending }) else { return nil }
    self = type
  }

  /// Creates a type from its type of MIME; `nil` for one that the stand-in does not know.
  public init?(mimeType: String) {
    guard let type = Self.known.first(where: { $0.preferredMIMEType == mimeType }) else { return nil }
    self = type
  }

  /// Whether the type is another one, or a kind of it.
  public func conforms(to type: UTType) -> Bool { self == type || parents.contains(type.identifier) }
}
