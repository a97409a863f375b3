import Foundation

/// A file put together byte by byte from the written tables, without the package's own code.
struct GoldenFile {
  var bytes: [UInt8] = []

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  mutating func add(_ text: String) { bytes += Array(text.utf8) }

  mutating func add<Number: FixedWidthInteger>(_ number: Number) {
    bytes += (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  mutating func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    for index in 0..<(Number.bitWidth / 8) {
      bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
    }
  }

  /// The samples of 6 × 4 pixels: luma 16y + x, chroma 100 + 10y + x.
  static let luma: [UInt8] = (0..<4).flatMap { y in (0..<6).map { x in UInt8(16 * y + x) } }
  static let chroma: [UInt8] = (0..<2).flatMap { y in (0..<6).map { x in UInt8(100 + 10 * y + x) } }

  /// Those samples in rows of 8 bytes.
  static var planes: [UInt8] {
    let rows = (0..<4).map { luma[6 * $0..<6 * $0 + 6] } + (0..<2).map { chroma[6 * $0..<6 * $0 + 6] }
    return rows.flatMap { $0 + [0xEE, 0xEE] }
  }

  static let fullRange = UInt32(0x3432_3066)

  static var article: GoldenFile {
    var file = GoldenFile()
    file.add(Int32(6))
    file.add(fullRange)
    for field in [6, 4, 8, 8] { file.add(Int32(field)) }
    file.bytes += planes
    return file
  }

  static var timedMapping: GoldenFile {
    var file = GoldenFile()
    file.add(UInt64(123_456_789))
    file.add(fullRange)
    for field in [6, 4, 8] { file.add(UInt32(field)) }
    file.bytes += planes
    return file
  }

  /// Version 3, two slots of 4096 bytes; frame 5 in slot 1.
  static var ring: GoldenFile {
    var file = GoldenFile([UInt8](repeating: 0, count: 139_272))
    file.bytes.replaceSubrange(0..<8, with: Array("BCASTRNG".utf8))
    file.bytes.replaceSubrange(139_264..<139_272, with: Array("BCASTRNG".utf8))
    file.put(UInt32(3), at: 8)
    file.put(UInt32(2), at: 12)
    file.put(UInt64(4096), at: 16)
    file.put(UInt64(131_072), at: 24)
    file.put(UInt64(139_272), at: 32)
    file.put(UInt64(0xABCD), at: 40)
    file.put(UInt64(5), at: 48)
    file.put(UInt32(77), at: 56)
    file.put(UInt64(5 * 256 + 1), at: 64)
    file.put(UInt64(1), at: 128)
    file.put(UInt64(5), at: 136)
    file.put(UInt64(2 * 5 + 2), at: 192 + 64)
    let slot = 135_168
    file.put(UInt64(5), at: slot)
    file.put(UInt64(1000), at: slot + 8)
    file.put(UInt64(2000), at: slot + 16)
    file.put(UInt32(3), at: slot + 24)
    file.put(UInt64(64 + 64 + 16), at: slot + 32)
    let payload = slot + 64
    file.put(fullRange, at: payload)
    for (index, field) in [6, 4, 2, 64, 8, 4, 0, 128, 8, 2, 0].enumerated() {
      file.put(UInt32(field), at: payload + 4 + 4 * index)
    }
    file.bytes.replaceSubrange(payload + 64..<payload + 96, with: planes[..<32])
    file.bytes.replaceSubrange(payload + 128..<payload + 144, with: planes[32...])
    return file
  }

  /// Version 2, of one channel with room for 2048 frames; packets 0 to 2, the newest of 30 frames.
  static var audioRing: GoldenFile {
    var file = GoldenFile([UInt8](repeating: 0, count: 20_480 + 2 * 2048))
    file.bytes.replaceSubrange(0..<8, with: Array("BCASTAUD".utf8))
    file.add("BCASTAUD")
    file.put(UInt32(2), at: 8)
    file.put(UInt32(1), at: 12)
    file.put((1000.0).bitPattern, at: 16)
    file.put(UInt32(16), at: 24)
    file.put(UInt32(1), at: 28)
    file.put(UInt64(2048), at: 32)
    file.put(UInt64(20_480 + 2 * 2048 + 8), at: 40)
    file.put(UInt64(0xABCD), at: 48)
    file.put(UInt64(5), at: 56)
    file.put(UInt32(77), at: 64)
    file.put(UInt64(110), at: 128)
    file.put(UInt64(100), at: 192)
    file.put(UInt64(3), at: 200)
    file.put(UInt64(2), at: 256)
    file.put(UInt64(4), at: 264)
    for (packet, (first, count)) in [(0, 50), (50, 20), (70, 30)].enumerated() {
      let entry = 4096 + 32 * packet
      file.put(UInt64(2 * packet + 2), at: entry)
      file.put(UInt64(first), at: entry + 8)
      file.put(UInt64(count), at: entry + 16)
      file.put(UInt64(1000 + first), at: entry + 24)
    }
    return file
  }

  /// The markers that state a size, without image data.
  static func jpeg(width: Int, height: Int) -> [UInt8] {
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 2, 0xFF, 0xDB, 0, 3, 9, 0xFF, 0xC0, 0, 11, 8]
      + [UInt8(height >> 8), UInt8(height & 255), UInt8(width >> 8), UInt8(width & 255), 1, 1, 0x11, 0]
      + [0xFF, 0xDA, 0, 2, 7, 7, 7, 0xFF, 0xD9]
  }

  static func httpMessage(
    width: Int = 320, height: Int = 240, orientation: Int = 1, jpeg body: [UInt8]? = nil
  ) -> GoldenFile {
    let body = body ?? jpeg(width: width, height: height)
    var file = GoldenFile()
    file.add("HTTP/1.1 200 OK\r\nContent-Length: \(body.count)\r\nBuffer-Width: \(width)\r\n")
    file.add("Buffer-Height: \(height)\r\nBuffer-Orientation: \(orientation)\r\n\r\n")
    file.bytes += body
    return file
  }

  static var httpStream: GoldenFile {
    GoldenFile(
      httpMessage().bytes + httpMessage(jpeg: jpeg(width: 160, height: 120)).bytes + httpMessage().bytes)
  }

  /// - Parameter uncounted: the bytes of a message that its total size leaves out.
  static func lengthPrefixed(uncounted: Int) -> GoldenFile {
    let open = "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>"
    let image =
      open + "<key>image</key><dict><key>width</key><integer>320</integer><key>height</key>"
      + "<integer>240</integer></dict><key>rotation</key><integer>0</integer></dict></plist>"
    let audio = open + "<key>audio</key><dict/></dict></plist>"
    var file = GoldenFile()
    for (list, body) in [(image, jpeg(width: 320, height: 240)), (audio, [1, 0, 2, 0])] {
      file.add(UInt32(8 + list.utf8.count + body.count - uncounted))
      file.add(UInt32(list.utf8.count))
      file.add(list)
      file.bytes += body
    }
    return file
  }

  static var audio: GoldenFile {
    var file = GoldenFile()
    for samples in [4, 2, 6, 4] {
      file.add(Int32(2 * samples))
      for sample in 0..<samples { file.add(Int16(sample)) }
    }
    return file
  }

  static var describedAudio: GoldenFile {
    var file = GoldenFile()
    for samples in [4, 2] {
      file.add(Double(44_100).bitPattern)
      for field in [0x6C70_636D, 0xC, 4, 1, 4, 2, 16, 0] { file.add(UInt32(field)) }
      file.add(UInt32(4 * samples))
      for sample in 0..<2 * samples { file.add(Int16(sample)) }
    }
    return file
  }

  static var companion: GoldenFile {
    GoldenFile(Array(#"{"id":4294967295,"timestamp":-12}"#.utf8))
  }

  /// One good file of each format, by the format's name.
  static let all: [(name: String, file: GoldenFile)] = [
    ("ring", ring), ("article", article), ("timed-mapping", timedMapping), ("http-stream", httpStream),
    ("length-prefixed", lengthPrefixed(uncounted: 0)), ("audio", audio),
    ("described-audio", describedAudio), ("companion", companion), ("audio-ring", audioRing),
  ]
}
