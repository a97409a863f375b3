import TestSupport

/// A file put together byte by byte from the written tables, without the package's own code.
struct GoldenFile {
  var bytes: [UInt8] = []

  init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  mutating func add(_ text: String) { bytes += Array(text.utf8) }

  mutating func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    bytes.set(offset, to: number)
  }

  /// Puts numbers of 4 and of 8 bytes at their offsets.
  private mutating func put(_ words: [Int: UInt32], _ longWords: [Int: UInt64]) {
    for (offset, word) in words { put(word, at: offset) }
    for (offset, word) in longWords { put(word, at: offset) }
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

  /// Version 5, two slots of 4096 bytes; frame 5 in slot 1.
  static var ring: GoldenFile {
    var file = GoldenFile([UInt8](repeating: 0, count: 12_296))
    file.bytes.replaceSubrange(0..<8, with: Array("BCASTRNG".utf8))
    file.bytes.replaceSubrange(12_288..<12_296, with: Array("BCASTRNG".utf8))
    let slot = 8192
    file.put(
      [8: 5, 12: 2, 56: 77, slot + 24: 3],
      [
        16: 4096, 24: 4096, 32: 12_296, 40: 0xABCD, 48: 5, 64: 5 * 256 + 1, 128: 1, 136: 5,
        192 + 64: 2 * 5 + 2, slot: 5, slot + 8: 1000, slot + 16: 2000, slot + 32: 64 + 64 + 16,
      ])
    let payload = slot + 64
    file.put(fullRange, at: payload)
    for (index, field) in [6, 4, 2, 64, 8, 4, 0, 128, 8, 2, 0].enumerated() {
      file.put(UInt32(field), at: payload + 4 + 4 * index)
    }
    file.bytes.replaceSubrange(payload + 64..<payload + 96, with: planes[..<32])
    file.bytes.replaceSubrange(payload + 128..<payload + 144, with: planes[32...])
    return file
  }

  /// Version 3, of one channel with room for 2048 frames; packets 0 to 2, the newest of 30 frames.
  static var audioRing: GoldenFile {
    var file = GoldenFile([UInt8](repeating: 0, count: 20_480 + 2 * 2048))
    file.bytes.replaceSubrange(0..<8, with: Array("BCASTAUD".utf8))
    file.add("BCASTAUD")
    file.put(
      [8: 3, 12: 1, 24: 16, 28: 1, 64: 77],
      [
        16: (1000.0).bitPattern, 32: 2048, 40: 20_480 + 2 * 2048 + 8, 48: 0xABCD, 56: 5, 128: 110, 192: 3,
        256: 2, 264: 4,
      ])
    for (packet, (first, count)) in [(0, 50), (50, 20), (70, 30)].enumerated() {
      let entry = 4096 + 32 * packet
      file.put(UInt64(2 * packet + 2), at: entry)
      file.put(UInt64(first), at: entry + 8)
      file.put(UInt64(count), at: entry + 16)
      file.put(UInt64(1000 + first), at: entry + 24)
    }
    return file
  }

  /// One good file of each format, by the format's name.
  static let all: [(name: String, file: GoldenFile)] = [("ring", ring), ("audio-ring", audioRing)]
}
