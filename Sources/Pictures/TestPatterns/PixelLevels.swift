import CoreVideo
import Foundation
import PixelAccess

/// The legal sample values of a bi-planar 8-bit format, and the conversion of colours to them.
struct PixelLevels: Sendable {
  /// A colour as luma and two chroma samples.
  struct Sample: Sendable, Equatable {
    var luma: UInt8
    var cb: UInt8
    var cr: UInt8
  }

  /// The darkest legal luma (0 or 16).
  let black: UInt8
  /// The brightest legal luma (255 or 235).
  let white: UInt8
  /// Chroma without colour.
  let neutral: UInt8 = 128

  private let chromaSwing: Double
  private let matrix: ColourMatrix

  /// Creates the levels of a pixel format; `nil` for formats other than 420f and 420v.
  init?(pixelFormat: OSType, matrix: ColourMatrix = .bt709) {
    self.matrix = matrix
    switch SampleRange(pixelFormat: pixelFormat) {
    case .full: (black, white, chromaSwing) = (0, 255, 254)
    case .limited: (black, white, chromaSwing) = (16, 235, 224)
    case nil: return nil
    }
  }

  /// Returns the luma of a brightness (0…1).
  func luma(_ brightness: Double) -> UInt8 {
    UInt8((Double(black) + Double(white - black) * min(1, max(0, brightness))).rounded())
  }

  /// Returns the chroma sample of a colour difference (−0.5…0.5).
  func chroma(_ difference: Double) -> UInt8 {
    UInt8((128 + chromaSwing * min(0.5, max(-0.5, difference))).rounded())
  }

  /// Returns the samples of a grey (0…1).
  func grey(_ brightness: Double) -> Sample {
    Sample(luma: luma(brightness), cb: neutral, cr: neutral)
  }

  /// Returns the samples of a colour. Red, green and blue are 0…1.
  func sample(_ red: Double, _ green: Double, _ blue: Double) -> Sample {
    let luma = matrix.red * red + matrix.green * green + matrix.blue * blue
    return Sample(
      luma: self.luma(luma), cb: chroma((blue - luma) / (2 * (1 - matrix.blue))),
      cr: chroma((red - luma) / (2 * (1 - matrix.red))))
  }
}
