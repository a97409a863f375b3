import Foundation

/// The bytes of a WAVE file, built without the writer.
struct Wave {
  var kind: UInt16 = 1
  var channels: UInt16 = 1
  var rate: UInt32 = 48_000
  var bits: UInt16 = 16
  var bytesPerFrame: UInt16?
  var isExtensible = false
  var data: [UInt8] = []
  /// The length that the chunk of audio states; `nil` for its real length.
  var statedLength: UInt32?
  var before: [(name: String, bytes: [UInt8])] = []

  var bytes: [UInt8] {
    var bytes = Array("RIFF".utf8) + Self.bytes(of: UInt32(1_000)) + Array("WAVE".utf8)
    for chunk in before { bytes += Self.chunk(chunk.name, chunk.bytes) }
    bytes += Self.chunk("fmt ", format)
    bytes += Array("data".utf8) + Self.bytes(of: statedLength ?? UInt32(data.count)) + data
    return bytes
  }

  private var format: [UInt8] {
    let perFrame = bytesPerFrame ?? channels &* (bits / 8)
    let tag: UInt16 = isExtensible ? 0xFFFE : kind
    let plain =
      Self.bytes(of: tag) + Self.bytes(of: channels) + Self.bytes(of: rate)
      + Self.bytes(of: rate &* UInt32(perFrame)) + Self.bytes(of: perFrame) + Self.bytes(of: bits)
    guard isExtensible else { return plain }
    return plain + Self.bytes(of: UInt16(22)) + Self.bytes(of: bits) + Self.bytes(of: UInt32(3))
      + Self.bytes(of: kind)
      + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
  }

  static func bytes(of number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    Array(name.utf8) + bytes(of: UInt32(content.count)) + content + (content.count % 2 == 1 ? [0] : [])
  }

  func write(into folder: URL) throws -> String {
    let url = folder.appending(path: "audio.wav")
    try Data(bytes).write(to: url)
    return url.path
  }
}
