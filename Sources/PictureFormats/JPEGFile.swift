import CoreVideo
import Foundation
import PixelAccess

/// A JPEG file on its way into samples.
struct JPEGFile {
  private struct Component {
    var id: UInt8
    var horizontal: Int
    var vertical: Int
    var quantisation: Int
    var dcTable = 0
    var acTable = 0
    var prediction = 0
    /// Samples from one row to the next: whole blocks.
    var stride = 0
    var rows = 0
    var samples: [UInt8] = []
  }

  private let bytes: [UInt8]
  private var at = 2
  private var width = 0
  private var height = 0
  private var components: [Component] = []
  private var quantisation = [[Int]?](repeating: nil, count: 4)
  private var dcTables = [HuffmanTable?](repeating: nil, count: 4)
  private var acTables = [HuffmanTable?](repeating: nil, count: 4)
  private var restartInterval = 0
  private var bits = 0
  private var bitCount = 0

  private static let maximumDimension = 8192

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  // MARK: Headers

  /// Reads up to the samples.
  mutating func readHeaders() throws(JPEGDecoder.Error) {
    guard bytes.starts(with: [0xFF, 0xD8]) else { throw .malformed("the start") }
    while true {
      let marker = try nextMarker()
      let length = try word(at)
      guard length >= 2, at + length <= bytes.count else { throw .malformed("the length of a segment") }
      let segment = (at + 2)..<(at + length)
      switch marker {
      case 0xC0, 0xC1: try readFrame(segment)
      case 0xC2: throw .unsupported("progressive")
      case 0xC4: try readHuffmanTables(segment)
      case 0xC3, 0xC5...0xC7, 0xC9...0xCF: throw .unsupported("neither sequential nor Huffman-coded")
      case 0xDB: try readQuantisation(segment)
      case 0xDD:
        guard segment.count == 2 else { throw .malformed("the restart interval") }
        restartInterval = try word(segment.lowerBound)
      case 0xDA:
        try readScanHeader(segment)
        at = segment.upperBound
        return
      case 0xD8, 0xD9: throw .malformed("a marker among the headers")
      default: break
      }
      at = segment.upperBound
    }
  }

  private mutating func nextMarker() throws(JPEGDecoder.Error) -> UInt8 {
    guard at + 1 < bytes.count, bytes[at] == 0xFF else { throw .malformed("a marker") }
    while at + 1 < bytes.count, bytes[at + 1] == 0xFF { at += 1 }
    guard at + 3 < bytes.count else { throw .malformed("the end") }
    at += 2
    return bytes[at - 1]
  }

  private func word(_ offset: Int) throws(JPEGDecoder.Error) -> Int {
    guard offset + 1 < bytes.count else { throw .malformed("the end") }
    return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
  }

  private mutating func readFrame(_ segment: Range<Int>) throws(JPEGDecoder.Error) {
    guard components.isEmpty, segment.count >= 6 else { throw .malformed("the frame header") }
    let start = segment.lowerBound
    guard bytes[start] == 8 else { throw .unsupported("of \(bytes[start]) bits") }
    height = try word(start + 1)
    width = try word(start + 3)
    guard (1...Self.maximumDimension).contains(width), (1...Self.maximumDimension).contains(height) else {
      throw .malformed("the size of \(width)x\(height)")
    }
    let count = Int(bytes[start + 5])
    guard count == 1 || count == 3 else { throw .unsupported("of \(count) components") }
    guard segment.count == 6 + 3 * count else { throw .malformed("the frame header") }
    for index in 0..<count {
      let entry = start + 6 + 3 * index
      let (horizontal, vertical) = (Int(bytes[entry + 1] >> 4), Int(bytes[entry + 1] & 15))
      guard (1...2).contains(horizontal), (1...2).contains(vertical) else {
        throw .unsupported("sampled \(horizontal)x\(vertical)")
      }
      guard bytes[entry + 2] < 4 else { throw .malformed("the number of a table") }
      components.append(
        Component(
          id: bytes[entry], horizontal: count == 1 ? 1 : horizontal, vertical: count == 1 ? 1 : vertical,
          quantisation: Int(bytes[entry + 2])))
    }
    for index in components.indices {
      components[index].stride = columns * components[index].horizontal * 8
      components[index].rows = lines * components[index].vertical * 8
    }
  }

  private var maximumHorizontal: Int { components.map(\.horizontal).max() ?? 1 }
  private var maximumVertical: Int { components.map(\.vertical).max() ?? 1 }
  /// The units of coding in a row.
  private var columns: Int { (width + 8 * maximumHorizontal - 1) / (8 * maximumHorizontal) }
  /// The rows of units of coding.
  private var lines: Int { (height + 8 * maximumVertical - 1) / (8 * maximumVertical) }

  private mutating func readQuantisation(_ segment: Range<Int>) throws(JPEGDecoder.Error) {
    var rest = segment
    while let head = rest.first {
      let isWide = bytes[head] >> 4 != 0
      let number = Int(bytes[head] & 15)
      let size = isWide ? 128 : 64
      guard number < 4, rest.count >= 1 + size else { throw .malformed("a quantisation table") }
      var table: [Int] = []
      for index in 0..<64 {
        table.append(isWide ? try word(head + 1 + 2 * index) : Int(bytes[head + 1 + index]))
      }
      quantisation[number] = table
      rest = (head + 1 + size)..<rest.upperBound
    }
  }

  private mutating func readHuffmanTables(_ segment: Range<Int>) throws(JPEGDecoder.Error) {
    var rest = segment
    while let head = rest.first {
      guard rest.count >= 17, bytes[head] & 15 < 4, bytes[head] >> 4 < 2 else {
        throw .malformed("a Huffman table")
      }
      let counts = bytes[(head + 1)...(head + 16)].map(Int.init)
      let total = counts.reduce(0, +)
      guard total <= 256, rest.count >= 17 + total,
        let table = HuffmanTable(counts: counts, values: Array(bytes[(head + 17)..<(head + 17 + total)]))
      else { throw .malformed("a Huffman table") }
      let number = Int(bytes[head] & 15)
      if bytes[head] >> 4 == 0 { dcTables[number] = table } else { acTables[number] = table }
      rest = (head + 17 + total)..<rest.upperBound
    }
  }

  private mutating func readScanHeader(_ segment: Range<Int>) throws(JPEGDecoder.Error) {
    guard !components.isEmpty, let head = segment.first else { throw .malformed("the scan header") }
    guard Int(bytes[head]) == components.count else { throw .unsupported("of several scans") }
    guard segment.count == 4 + 2 * components.count else { throw .malformed("the scan header") }
    for index in components.indices {
      let entry = head + 1 + 2 * index
      guard bytes[entry] == components[index].id, bytes[entry + 1] >> 4 < 4, bytes[entry + 1] & 15 < 4 else {
        throw .malformed("the scan header")
      }
      components[index].dcTable = Int(bytes[entry + 1] >> 4)
      components[index].acTable = Int(bytes[entry + 1] & 15)
    }
  }

  // MARK: Samples

  /// Reads the samples of all components.
  mutating func readScan() throws(JPEGDecoder.Error) {
    // Every unit takes a bit for each of its blocks and more: bytes too few are not worth the memory.
    guard columns * lines <= (bytes.count - at) * 8 else { throw .malformed("the number of samples") }
    for index in components.indices {
      components[index].samples = [UInt8](
        repeating: 128, count: components[index].stride * components[index].rows)
    }
    var units = 0
    for line in 0..<lines {
      for column in 0..<columns {
        if restartInterval > 0, units > 0, units % restartInterval == 0 { try restart() }
        for index in components.indices {
          for y in 0..<components[index].vertical {
            for x in 0..<components[index].horizontal {
              try readBlock(
                index, x: (column * components[index].horizontal + x) * 8,
                y: (line * components[index].vertical + y) * 8)
            }
          }
        }
        units += 1
      }
    }
  }

  private mutating func restart() throws(JPEGDecoder.Error) {
    (bits, bitCount) = (0, 0)
    guard at + 1 < bytes.count, bytes[at] == 0xFF, (0xD0...0xD7).contains(bytes[at + 1]) else {
      throw .malformed("a restart marker")
    }
    at += 2
    for index in components.indices { components[index].prediction = 0 }
  }

  private mutating func readBlock(_ index: Int, x: Int, y: Int) throws(JPEGDecoder.Error) {
    guard let table = quantisation[components[index].quantisation],
      let dc = dcTables[components[index].dcTable], let ac = acTables[components[index].acTable]
    else { throw .malformed("a table that is not there") }
    var block = [Float](repeating: 0, count: 64)
    let size = Int(try symbol(dc))
    guard size <= 11 else { throw .malformed("a difference") }
    components[index].prediction += try number(size)
    guard abs(components[index].prediction) <= 1 << 16 else { throw .malformed("a difference") }
    block[0] = Float(components[index].prediction * table[0])
    var position = 1
    while position < 64 {
      let code = try symbol(ac)
      let (run, size) = (Int(code >> 4), Int(code & 15))
      if size == 0 {
        guard run == 15 else { break }
        position += 16
        continue
      }
      position += run
      guard position < 64, size <= 10 else { throw .malformed("a coefficient") }
      block[Self.zigzag[position]] = Float(try number(size) * table[position])
      position += 1
    }
    let samples = InverseCosine.samples(of: block)
    let stride = components[index].stride
    for row in 0..<8 {
      for column in 0..<8 {
        components[index].samples[(y + row) * stride + x + column] = samples[row * 8 + column]
      }
    }
  }

  private mutating func bit() throws(JPEGDecoder.Error) -> Int {
    if bitCount == 0 {
      guard at < bytes.count else { throw .malformed("the end") }
      bits = Int(bytes[at])
      at += 1
      if bits == 0xFF {
        guard at < bytes.count, bytes[at] == 0 else { throw .malformed("a marker among the samples") }
        at += 1
      }
      bitCount = 8
    }
    bitCount -= 1
    return bits >> bitCount & 1
  }

  private mutating func symbol(_ table: HuffmanTable) throws(JPEGDecoder.Error) -> UInt8 {
    var code = 0
    for length in 1...16 {
      code = code << 1 | (try bit())
      if let value = table.value(of: code, length: length) { return value }
    }
    throw .malformed("a code")
  }

  /// A number of so many bits, of which the first tells the sign.
  private mutating func number(_ size: Int) throws(JPEGDecoder.Error) -> Int {
    guard size > 0 else { return 0 }
    var value = 0
    for _ in 0..<size { value = value << 1 | (try bit()) }
    return value < 1 << (size - 1) ? value - (1 << size) + 1 : value
  }

  private static let zigzag = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7,
    14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39,
    46, 53, 60, 61, 54, 47, 55, 62, 63,
  ]

  // MARK: Picture

  /// The picture of the samples. Chroma that is finer than 4:2:0 is taken from the upper left of each four pixels.
  func makePixelBuffer() throws(JPEGDecoder.Error) -> CVPixelBuffer {
    let buffer: CVPixelBuffer
    do throws(PixelBufferError) {
      buffer = try PixelBufferPool(
        width: width, height: height, pixelFormat: kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
      ).makeBuffer()
    } catch {
      throw .pixelBuffer(error)
    }
    buffer.writePlane(0) { target, shape in
      for row in 0..<height {
        for column in 0..<width {
          target[row * shape.bytesPerRow + column] = sample(0, x: column, y: row)
        }
      }
    }
    buffer.writePlane(1) { target, shape in
      for row in 0..<(height + 1) / 2 {
        for column in 0..<(width + 1) / 2 {
          for part in 0..<2 {
            target[row * shape.bytesPerRow + 2 * column + part] =
              components.count == 3 ? sample(1 + part, x: 2 * column, y: 2 * row) : 128
          }
        }
      }
    }
    return buffer
  }

  /// The sample of a component that covers a pixel.
  private func sample(_ index: Int, x: Int, y: Int) -> UInt8 {
    let component = components[index]
    return component.samples[
      y * component.vertical / maximumVertical * component.stride + x * component.horizontal
        / maximumHorizontal]
  }
}
