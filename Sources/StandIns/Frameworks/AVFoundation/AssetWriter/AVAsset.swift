import CoreMedia
import Foundation

// Models the parts of AVAsset.h, AVAssetTrack.h and their asynchronous loading that handlers use for a written file.

/// Reads only the index of mov, mp4, m4v and m4a. For other files the duration is invalid, and loading fails.
open class AVAsset: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: it has a subclass, and its properties are constant.

  private let movie: Result<(duration: CMTime, tracks: [AVAssetTrack]), AVError>

  public init(url: URL) {
    movie = Result { try Self.read(url) }
      .mapError { $0 as? AVError ?? AVError(.unknown, "\($0)") }
  }

  // A file that cannot be read has neither duration nor tracks; only the loading functions throw the reason, as on iOS.
  open var duration: CMTime { (try? movie.get().duration) ?? .invalid }
  open var tracks: [AVAssetTrack] { (try? movie.get().tracks) ?? [] }
  open var isPlayable: Bool { !tracks.isEmpty }

  open func tracks(withMediaType mediaType: AVMediaType) -> [AVAssetTrack] {
    tracks.filter { $0.mediaType == mediaType }
  }

  open func loadTracks(withMediaType mediaType: AVMediaType) async throws -> [AVAssetTrack] {
    try movie.get().tracks.filter { $0.mediaType == mediaType }
  }

  public func load<Value>(_ property: AVAsyncProperty<AVAsset, Value>) async throws -> Value {
    _ = try movie.get()
    return self[keyPath: property.path]
  }

  private static func read(_ url: URL) throws -> (duration: CMTime, tracks: [AVAssetTrack]) {
    let file = try FileHandle(forReadingFrom: url)
    defer { file.closeFile() }
    func parts(_ range: Range<Int>, _ type: String) throws -> [Range<Int>] {
      try MovieFile.boxes(in: range, of: file).filter { $0.type == type }.map(\.content)
    }
    func bytes(_ range: Range<Int>?) throws -> [UInt8] {
      try range.map { try MovieFile.bytes($0, of: file) } ?? []
    }
    guard let movie = try parts(0..<Int(file.seekToEnd()), "moov").first,
      let duration = duration(try bytes(parts(movie, "mvhd").first))
    else { throw AVError(.fileFormatNotRecognized, "The file has no index of a movie.") }
    let tracks = try parts(movie, "trak").compactMap { track -> AVAssetTrack? in
      guard let media = try parts(track, "mdia").first else { return nil }
      let handler = try bytes(parts(media, "hdlr").first).dropFirst(8).prefix(4)
      // The last eight bytes are the width and the height, as 16.16 fixed-point numbers.
      let size = try bytes(parts(track, "tkhd").first).suffix(8)
      func length(_ part: ArraySlice<UInt8>) -> CGFloat { CGFloat(number(part)) / 65_536 }
      return AVAssetTrack(
        AVMediaType(rawValue: String(decoding: handler, as: UTF8.self)),
        CGSize(width: length(size.prefix(4)), height: length(size.suffix(4))),
        Self.duration(try bytes(parts(media, "mdhd").first)) ?? .invalid)
    }
    return (duration, tracks)
  }

  /// Returns the duration in the header of a movie or of media (ISO/IEC 14496-12, 8.2.2 and 8.4.2).
  private static func duration(_ header: [UInt8]) -> CMTime? {
    guard let version = header.first, header.count >= (version == 1 ? 32 : 20) else { return nil }
    let (start, size) = version == 1 ? (20, 8) : (12, 4)
    return CMTime(
      value: CMTimeValue(clamping: number(header[start + 4..<start + 4 + size])),
      timescale: CMTimeScale(clamping: number(header[start..<start + 4])))
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}

public final class AVURLAsset: AVAsset, @unchecked Sendable {
  public let url: URL

  /// The options have no effect.
  public init(url URL: URL, options: [String: Any]? = nil) {
    url = URL
    super.init(url: URL)
  }
}

public let AVURLAssetPreferPreciseDurationAndTimingKey: String = "AVURLAssetPreferPreciseDurationAndTimingKey"

public final class AVAssetTrack: NSObject, Sendable {
  public let mediaType: AVMediaType
  public let naturalSize: CGSize
  public let timeRange: CMTimeRange

  fileprivate init(_ mediaType: AVMediaType, _ naturalSize: CGSize, _ duration: CMTime) {
    self.mediaType = mediaType
    self.naturalSize = naturalSize
    timeRange = CMTimeRange(start: .zero, duration: duration)
  }
}

public final class AVAsyncProperty<Root, Value>: @unchecked Sendable {
  // Unchecked `Sendable`: a key path of a property is constant.

  fileprivate let path: KeyPath<Root, Value>

  fileprivate init(_ path: KeyPath<Root, Value>) { self.path = path }
}

extension AVAsyncProperty where Root == AVAsset {
  public static var duration: AVAsyncProperty<AVAsset, CMTime> { .init(\.duration) }
  public static var tracks: AVAsyncProperty<AVAsset, [AVAssetTrack]> { .init(\.tracks) }
  public static var isPlayable: AVAsyncProperty<AVAsset, Bool> { .init(\.isPlayable) }
}
