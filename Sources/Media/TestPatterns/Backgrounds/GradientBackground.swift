import Foundation
import PixelAccess

/// A diagonal gradient that moves with the frame number: each row is a window into a row twice as long.
struct GradientBackground: InkedBackground {
  let ink: PlainInk
  private let width: Int
  private let luma: [UInt8]
  private let chroma: [UInt8]

  init(width: Int, levels: SampleLevels) {
    ink = PlainInk(width: width, levels: levels)
    self.width = width
    // One period per width, so that a window at any place has no seam.
    func wave(_ column: Int, _ period: Int) -> Double {
      (1 - cos(2 * Double.pi * Double(column % period) / Double(period))) / 2
    }
    luma = (0..<width * 2).map { levels.luma(0.12 + 0.76 * wave($0, width)) }
    let pairs = (width + 1) / 2
    chroma = (0..<pairs * 2).flatMap { pair -> [UInt8] in
      [
        levels.chroma(0.3 * (wave(pair, pairs) - 0.5)),
        levels.chroma(0.3 * (wave(pair + pairs / 3, pairs) - 0.5)),
      ]
    }
  }

  func paintLuma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    let shift = Int(frame % UInt64(width)) * step % width
    for row in 0..<shape.height {
      let start = (row + shift) % width
      plane.copy(luma.span.extracting(start..<start + width), to: row * shape.bytesPerRow)
    }
  }

  func paintChroma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    let pairs = (width + 1) / 2
    let shift = Int(frame % UInt64(pairs)) * step % pairs
    for row in 0..<shape.height {
      // Along the other diagonal, at half the speed.
      let start = (pairs + shift - row / 2 % pairs) % pairs * 2
      plane.copy(chroma.span.extracting(start..<start + pairs * 2), to: row * shape.bytesPerRow)
    }
  }

  /// The columns of movement per frame.
  private var step: Int { max(1, width / 240) }
}
