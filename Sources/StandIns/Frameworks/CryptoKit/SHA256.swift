@_exported import Foundation

public protocol Digest: Hashable, ContiguousBytes, Sequence, CustomStringConvertible, Sendable
where Element == UInt8 {
  static var byteCount: Int { get }
}

public struct SHA256Digest: Digest {
  public static var byteCount: Int { 32 }
  private let bytes: [UInt8]

  fileprivate init(_ words: [UInt32]) {
    bytes = words.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
  }

  public func makeIterator() -> [UInt8].Iterator { bytes.makeIterator() }

  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    // UNSAFE: the bytes are valid for the caller's code.
    try unsafe bytes.withUnsafeBytes(body)
  }

  public var description: String {
    "SHA256 digest: " + bytes.map { String(format: "%02x", $0) }.joined()
  }
}

/// FIPS 180-4, section 6.2. The other algorithms of CryptoKit are in the package swift-crypto.
public struct SHA256: Sendable {
  public typealias Digest = SHA256Digest

  private var state: [UInt32] = [
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
  ]
  /// Bytes that do not fill a block yet.
  private var rest: [UInt8] = []
  private var byteCount: UInt64 = 0

  public init() {}

  public static func hash(data: some DataProtocol) -> SHA256Digest {
    var hash = SHA256()
    hash.update(data: data)
    return hash.finalize()
  }

  public mutating func update(data: some DataProtocol) {
    rest += data
    byteCount += UInt64(data.count)
    var start = 0
    while rest.count - start >= 64 {
      addBlock(from: start)
      start += 64
    }
    rest.removeFirst(start)
  }

  public func finalize() -> SHA256Digest {
    var copy = self
    copy.rest.append(0x80)
    copy.rest += [UInt8](repeating: 0, count: (120 - copy.rest.count % 64) % 64)
    copy.rest += (0..<8).map { UInt8(truncatingIfNeeded: (byteCount * 8) >> (56 - 8 * $0)) }
    for start in stride(from: 0, to: copy.rest.count, by: 64) { copy.addBlock(from: start) }
    return SHA256Digest(copy.state)
  }

  private mutating func addBlock(from start: Int) {
    func turned(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }
    var words = (0..<16).map { index in
      rest[start + 4 * index..<start + 4 * index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (first, second) = (words[index - 15], words[index - 2])
      let sigma0 = turned(first, 7) ^ turned(first, 18) ^ first >> 3
      let sigma1 = turned(second, 17) ^ turned(second, 19) ^ second >> 10
      words.append(words[index - 16] &+ sigma0 &+ words[index - 7] &+ sigma1)
    }
    var v = state
    for index in 0..<64 {
      let sum1 = turned(v[4], 6) ^ turned(v[4], 11) ^ turned(v[4], 25)
      let sum0 = turned(v[0], 2) ^ turned(v[0], 13) ^ turned(v[0], 22)
      let choice = v[4] & v[5] ^ ~v[4] & v[6]
      let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
      let first = v[7] &+ sum1 &+ choice &+ Self.constants[index] &+ words[index]
      v = [first &+ sum0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    for index in 0..<8 { state[index] &+= v[index] }
  }

  /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = (2...311).filter { number in
    !(2..<number).contains { number.isMultiple(of: $0) }
  }.map { prime in
    // The root times 2³², computed in integers because Double has only 53 bits.
    var (low, high) = (UInt128(0), UInt128(1) << 35)
    while high - low > 1 {
      let middle = (low + high) / 2
      if middle * middle * middle <= UInt128(prime) << 96 { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
  }
}
