import Foundation

/// A zip file of a folder, without compression.
struct StoredZip {
  private(set) var data = Data()

  init(of folder: URL) throws {
    let parent = folder.deletingLastPathComponent().path + "/"
    var directory = Data()
    var count = 0
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() {
      let file = folder.appending(path: path)
      guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
      let bytes = try Data(contentsOf: file)
      let name = Data(file.path.dropFirst(parent.count).utf8)
      // Version, flags, method, time and date; the checksum, and the size twice; the lengths of the name and of no extra field.
      let fields = Self.number(10, 2) + Data(count: 8) + Self.number(Self.checksum(bytes), 4)
      let header =
        fields + Self.number(bytes.count, 4) + Self.number(bytes.count, 4) + Self.number(name.count, 2)
      directory += Data([0x50, 0x4B, 1, 2]) + Self.number(10, 2) + header + Data(count: 12)
      directory += Self.number(data.count, 4) + name
      data += Data([0x50, 0x4B, 3, 4]) + header + Data(count: 2) + name + bytes
      count += 1
    }
    let end = Self.number(directory.count, 4) + Self.number(data.count, 4)
    data += directory + Data([0x50, 0x4B, 5, 6]) + Data(count: 4)
    data += Self.number(count, 2) + Self.number(count, 2) + end + Data(count: 2)
  }

  private static func number(_ value: Int, _ count: Int) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
  }

  private static func checksum(_ bytes: Data) -> Int {
    var sum = UInt32.max
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 {
        let isOdd = sum & 1 == 1
        sum >>= 1
        if isOdd { sum ^= 0xEDB8_8320 }
      }
    }
    return Int(~sum)
  }
}
