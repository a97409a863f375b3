import CoreVideo
import Foundation
import PixelAccess

/// How much a picture differs from its reference, as WebRTC's frame analyzer measures it with libyuv.
package struct PictureQuality: Equatable, Sendable {
  /// The peak signal-to-noise ratio of all samples of the three planes, in dB, at most ``highestPSNR``.
  package var psnr: Double
  /// The structural similarity, at most 1: 0.8 of that of luma, and 0.1 of that of each chroma plane.
  package var ssim: Double

  /// The PSNR of equal pictures too: without a limit one equal picture would decide the mean.
  package static let highestPSNR = 48.0
  /// The least width and height: a chroma plane has then a window of 8x8 samples.
  package static let leastSide = 17

  /// Compares two 420f or 420v pictures of the same size, at least ``leastSide`` wide and high.
  package init(of picture: CVPixelBuffer, reference: CVPixelBuffer) {
    let luma = PlaneDifference(picture, reference, plane: 0, channel: 0)
    let cb = PlaneDifference(picture, reference, plane: 1, channel: 0)
    let cr = PlaneDifference(picture, reference, plane: 1, channel: 1)
    let planes = [luma, cb, cr]
    let error = Double(planes.reduce(0) { $0 + $1.squaredError })
    let samples = Double(planes.reduce(0) { $0 + $1.sampleCount })
    psnr = error == 0 ? Self.highestPSNR : min(Self.highestPSNR, 10 * log10(255 * 255 * samples / error))
    ssim = 0.8 * luma.ssim + 0.1 * (cb.ssim + cr.ssim)
  }
}

/// The difference between two planes, or between one channel of two interleaved planes.
private struct PlaneDifference {
  private(set) var squaredError: UInt64 = 0
  private(set) var sampleCount = 0
  /// The mean of the windows of 8x8 samples.
  private(set) var ssim = 0.0

  /// The sums over a block of 4x4 samples: those of both planes, of the squares of both, and of the products.
  private typealias Sums = SIMD4<Int32>

  init(_ picture: CVPixelBuffer, _ reference: CVPixelBuffer, plane: Int, channel: Int) {
    picture.readPlane(plane) { first, firstShape in
      reference.readPlane(plane) { second, secondShape in
        let (width, height) = (firstShape.width, firstShape.height)
        let step = plane == 0 ? 1 : 2
        sampleCount = width * height
        // As in libyuv, a window that ends at the last sample is left out.
        let (across, down) = ((width - 5) / 4, (height - 5) / 4)
        var above: [Sums] = []
        var blocks = [Sums](repeating: .zero, count: across + 1)
        var sum = 0.0
        for row in 0..<height {
          let one = first.extracting(row * firstShape.bytesPerRow..<(row + 1) * firstShape.bytesPerRow)
          let other = second.extracting(row * secondShape.bytesPerRow..<(row + 1) * secondShape.bytesPerRow)
          squaredError += Self.squaredError(one, other, from: channel, count: width, step: step)
          guard row < (down + 1) * 4 else { continue }
          Self.add(one, other, from: channel, step: step, to: &blocks)
          guard row % 4 == 3 else { continue }
          if row > 4 {
            for column in 0..<across {
              sum += Self.similarity(
                above[column] &+ above[column + 1] &+ blocks[column] &+ blocks[column + 1])
            }
          }
          above = blocks
          for index in blocks.indices { blocks[index] = .zero }
        }
        ssim = sum / Double(across * down)
      }
    }
  }

  private static func squaredError(
    _ one: Span<UInt8>, _ other: Span<UInt8>, from start: Int, count: Int, step: Int
  ) -> UInt64 {
    var error: UInt64 = 0
    for index in stride(from: start, to: start + count * step, by: step) {
      let difference = Int32(one[index]) &- Int32(other[index])
      error &+= UInt64(UInt32(bitPattern: difference &* difference))
    }
    return error
  }

  /// Adds a row to the blocks that it goes through.
  private static func add(
    _ one: Span<UInt8>, _ other: Span<UInt8>, from start: Int, step: Int, to blocks: inout [Sums]
  ) {
    var at = start
    for index in blocks.indices {
      var sums = Sums.zero
      for _ in 0..<4 {
        let (a, b) = (Int32(one[at]), Int32(other[at]))
        sums &+= Sums(a, b, a &* a &+ b &* b, a &* b)
        at += step
      }
      blocks[index] &+= sums
    }
  }

  /// The structural similarity of a window of 64 samples, with libyuv's constants: (0.01 · 255)² and (0.03 · 255)², times
  /// 64².
  private static func similarity(_ sums: Sums) -> Double {
    let (a, b) = (Double(sums[0]), Double(sums[1]))
    let (squares, products) = (Double(sums[2]), Double(sums[3]))
    let (luminance, contrast) = (26634.0, 239708.0)
    return (2 * a * b + luminance) * (2 * 64 * products - 2 * a * b + contrast)
      / ((a * a + b * b + luminance) * (64 * squares - a * a - b * b + contrast))
  }
}
