import PixelAccess

/// Eight colour bars above a grey scale. Each row is a copy of one of two prepared rows.
struct BarsBackground: InkedBackground {
  let ink: PlainInk
  private let bars: (luma: [UInt8], chroma: [UInt8])
  private let greys: [UInt8]

  init(width: Int, levels: SampleLevels) {
    ink = PlainInk(width: width, levels: levels)
    let colours: [(Double, Double, Double)] = [
      (1, 1, 1), (1, 1, 0), (0, 1, 1), (0, 1, 0), (1, 0, 1), (1, 0, 0), (0, 0, 1), (0, 0, 0),
    ]
    let samples = colours.map { levels.sample($0.0 * 0.75, $0.1 * 0.75, $0.2 * 0.75) }
    let steps = 11
    // Bars start on even columns, together with a chroma sample.
    let pairs = (width + 1) / 2
    bars.luma = (0..<width).map { samples[$0 / 2 * samples.count / pairs].luma }
    bars.chroma = (0..<pairs).flatMap { pair -> [UInt8] in
      let sample = samples[pair * samples.count / pairs]
      return [sample.cb, sample.cr]
    }
    greys = (0..<width).map { levels.luma(Double($0 * steps / width) / Double(steps - 1)) }
  }

  func paintLuma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    let edge = edge(chromaRows: (shape.height + 1) / 2) * 2
    for row in 0..<shape.height {
      plane.copy(row < edge ? bars.luma.span : greys.span, to: row * shape.bytesPerRow)
    }
  }

  func paintChroma(frame: UInt64, into plane: inout MutableSpan<UInt8>, shape: PlaneShape) {
    let edge = edge(chromaRows: shape.height)
    for row in 0..<shape.height {
      plane.copy(row < edge ? bars.chroma.span : ink.neutral.span, to: row * shape.bytesPerRow)
    }
  }

  /// The first chroma row of the greys.
  private func edge(chromaRows: Int) -> Int { chromaRows * 3 / 4 }
}
