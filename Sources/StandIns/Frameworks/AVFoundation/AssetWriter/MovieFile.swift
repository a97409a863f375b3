import Foundation
import Platform
import VideoToolbox

/// Writes encoded tracks into a file, with ffmpeg.
struct MovieFile {
  let url: URL
  /// ffmpeg's name of the format.
  let container: String
  /// Whether the index is at the start of the file.
  let isOptimized: Bool
  /// The tracks that are mixed into one, if there are several.
  let mixed: [Int]

  struct Track {
    let file: FileHandle
    let container: TrackEncoder.Container
    let transform: CGAffineTransform
  }

  /// Writes the file. An existing file is overwritten.
  func write(_ tracks: [Track], by program: EncoderProgram) throws {
    var arguments = ["-hide_banner", "-loglevel", "error", "-nostdin", "-copyts"]
    for track in tracks {
      // The file has no name, so ffmpeg opens it through this process's descriptor.
      arguments += [
        "-f", track.container.rawValue, "-i", "file:/proc/\(getpid())/fd/\(track.file.fileDescriptor)",
      ]
    }
    let isMixing = mixed.count > 1
    for index in tracks.indices where !isMixing || !mixed.contains(index) {
      arguments += ["-map", "\(index)"]
    }
    arguments += ["-c", "copy", "-fflags", "+bitexact", "-map_metadata", "-1"]
    if isMixing {
      // Each track starts at the start of the file. The filter divides by the number of inputs; the volume filter
      // multiplies by it again.
      let aligned = mixed.map { "[\($0)]aresample=async=1:first_pts=0[a\($0)];" }.joined()
      let inputs = mixed.map { "[a\($0)]" }.joined()
      let mix = "amix=inputs=\(mixed.count):dropout_transition=86400,volume=\(mixed.count)[mix]"
      arguments += ["-filter_complex", aligned + inputs + mix, "-map", "[mix]", "-c:a", "aac"]
    }
    if isOptimized { arguments += ["-movflags", "+faststart"] }
    arguments += ["-f", container, "-y", "file:\(url.path)"]
    // No timeout: a long movie takes long to copy.
    try EncoderProcess(program, arguments).end(.none)
    if ["mov", "mp4", "ipod"].contains(container), tracks.contains(where: { !$0.transform.isIdentity }) {
      try setTransforms(tracks.map(\.transform))
    }
  }

  /// Writes the transforms into the headers of the tracks (ISO/IEC 14496-12, 8.3.2). ffmpeg's options for this differ
  /// between versions.
  private func setTransforms(_ transforms: [CGAffineTransform]) throws {
    let file = try FileHandle(forUpdating: url)
    defer { file.closeFile() }
    let size = Int(try file.seekToEnd())
    guard let movie = try Self.boxes(in: 0..<size, of: file).first(where: { $0.type == "moov" }) else {
      return
    }
    let tracks = try Self.boxes(in: movie.content, of: file).filter { $0.type == "trak" }
    for (track, transform) in zip(tracks, transforms) {
      guard let header = try Self.boxes(in: track.content, of: file).first(where: { $0.type == "tkhd" }),
        let version = try Self.bytes(header.content.prefix(1), of: file).first
      else { continue }
      try file.seek(toOffset: UInt64(header.content.lowerBound + (version == 1 ? 52 : 40)))
      try file.write(contentsOf: Self.matrix(transform))
    }
  }

  private static func matrix(_ transform: CGAffineTransform) -> Data {
    let (unit, last) = (65_536.0, 1_073_741_824.0)
    let rows = [
      transform.a * unit, transform.b * unit, 0, transform.c * unit, transform.d * unit, 0,
      transform.tx * unit,
      transform.ty * unit, last,
    ]
    return rows.reduce(into: Data()) { data, value in
      let bits = UInt32(bitPattern: Int32(clamping: value.rounded()))
      data += (0..<4).map { UInt8(truncatingIfNeeded: bits >> (24 - 8 * $0)) }
    }
  }

  static func boxes(in range: Range<Int>, of file: FileHandle) throws -> [(
    type: String, content: Range<Int>
  )] {
    var boxes: [(type: String, content: Range<Int>)] = []
    var offset = range.lowerBound
    while offset + 8 <= range.upperBound {
      let header = try bytes(offset..<offset + 16, of: file)
      guard header.count >= 8 else { break }
      var (size, start) = (header.prefix(4).reduce(0) { $0 << 8 | Int($1) }, 8)
      if size == 1, header.count == 16 {
        (size, start) = (header.suffix(8).reduce(0) { $0 << 8 | Int($1) }, 16)
      }
      guard size >= start, size <= range.upperBound - offset else { break }
      boxes.append((String(decoding: header[4..<8], as: UTF8.self), offset + start..<offset + size))
      offset += size
    }
    return boxes
  }

  static func bytes(_ range: Range<Int>, of file: FileHandle) throws -> [UInt8] {
    try file.seek(toOffset: UInt64(range.lowerBound))
    return [UInt8](try file.read(upToCount: range.count) ?? Data())
  }
}
