import Foundation

/// The inverse of the cosine transform of 8 × 8 samples, as JPEG uses it.
enum InverseCosine {
  /// `cosines[x * 8 + u]`: the share of frequency `u` in sample `x`.
  private static let cosines: [Float] = (0..<64).map { index in
    let (x, u) = (Double(index / 8), Double(index % 8))
    return Float((u == 0 ? 0.5.squareRoot() : 1) / 2 * cos((2 * x + 1) * u * .pi / 16))
  }

  /// The samples, row by row, of 64 coefficients, row by row.
  static func samples(of block: [Float]) -> [UInt8] {
    var half = [Float](repeating: 0, count: 64)
    for row in 0..<8 {
      for x in 0..<8 {
        var sum: Float = 0
        for u in 0..<8 { sum += block[row * 8 + u] * cosines[x * 8 + u] }
        half[row * 8 + x] = sum
      }
    }
    var samples = [UInt8](repeating: 0, count: 64)
    for x in 0..<8 {
      for y in 0..<8 {
        var sum: Float = 0
        for v in 0..<8 { sum += half[v * 8 + x] * cosines[y * 8 + v] }
        samples[y * 8 + x] = UInt8(min(255, max(0, (sum + 128).rounded())))
      }
    }
    return samples
  }
}
