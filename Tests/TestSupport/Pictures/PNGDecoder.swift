/// An independent implementation of the PNG and zlib standards for the tests. It is slow and strict, and shares no code
/// with the encoder.
package struct PNGDecoder {
  package var width = 0
  package var height = 0
  package var rgb: [UInt8] = []

  package init(_ file: [UInt8]) throws {
    try check(Array(file.prefix(8)) == [137, 80, 78, 71, 13, 10, 26, 10])
    var at = 8
    var types: [String] = []
    var compressed: [UInt8] = []
    while at < file.count {
      let length = Self.number(file, at)
      let body = Array(file[at + 4..<at + 8 + length])
      let type = String(decoding: body[..<4], as: UTF8.self)
      try check(Self.number(file, at + 8 + length) == Int(Self.crc(body)), "check sum of \(type)")
      types.append(type)
      if type == "IHDR" {
        (width, height) = (Self.number(body, 4), Self.number(body, 8))
        try check(Array(body[12...]) == [8, 2, 0, 0, 0])
      }
      if type == "IDAT" { compressed += body[4...] }
      at += 12 + length
    }
    try check(at == file.count && types.first == "IHDR" && types.last == "IEND")
    let rows = try Self.inflate(compressed)
    let length = width * 3
    try check(rows.count == (length + 1) * height)
    for row in 0..<height {
      let start = row * (length + 1)
      let filter = rows[start]
      try check(filter <= 2)
      for index in 0..<length {
        let value = rows[start + 1 + index]
        switch filter {
        case 1: rgb.append(value &+ (index < 3 ? 0 : rgb[rgb.count - 3]))
        case 2: rgb.append(value &+ (row == 0 ? 0 : rgb[rgb.count - length]))
        default: rgb.append(value)
        }
      }
    }
  }

  private static func number(_ bytes: [UInt8], _ at: Int) -> Int {
    bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : (crc >> 1) ^ 0xEDB8_8320 }
    }
    return ~crc
  }

  /// Decodes blocks of fixed codes, and checks the checksum of the zlib stream.
  private static func inflate(_ bytes: [UInt8]) throws -> [UInt8] {
    try check((Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0 && bytes[0] & 15 == 8)
    var position = 16
    func bit() -> Int {
      defer { position += 1 }
      return Int(bytes[position / 8]) >> (position % 8) & 1
    }
    func bits(_ count: Int) -> Int { (0..<count).reduce(0) { $0 | bit() << $1 } }
    func code(_ count: Int, from start: Int = 0) -> Int {
      (0..<count).reduce(start) { code, _ in code << 1 | bit() }
    }
    let lengths = [
      3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
      227, 258,
    ]
    let extra = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    var output: [UInt8] = []
    var isLast = false
    while !isLast {
      isLast = bit() == 1
      try check(bits(2) == 1, "only fixed codes are expected")
      while true {
        var symbol = code(7)
        if symbol <= 23 {
          symbol += 256
        } else {
          symbol = code(1, from: symbol)
          switch symbol {
          case 48...191: symbol -= 48
          case 192...199: symbol += 280 - 192
          default: symbol = code(1, from: symbol) - 400 + 144
          }
        }
        if symbol == 256 { break }
        if symbol < 256 {
          output.append(UInt8(symbol))
          continue
        }
        let length = lengths[symbol - 257] + bits(extra[symbol - 257])
        let distance = code(5) + 1
        try check(distance == 1 && !output.isEmpty, "only runs are expected")
        for _ in 0..<length { output.append(output[output.count - distance]) }
      }
    }
    position = (position + 7) / 8 * 8
    var (low, high) = (1, 0)
    for byte in output {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    try check(number(bytes, position / 8) == high << 16 | low, "check sum of the zlib stream")
    try check(position / 8 + 4 == bytes.count)
    return output
  }
}

package struct NotSuchAPNG: Error, CustomStringConvertible {
  package var description: String
}

private func check(_ holds: Bool, _ what: String = "the form of the file") throws {
  if !holds { throw NotSuchAPNG(description: what) }
}
