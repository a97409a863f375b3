/// The source samples of each sample of a scaled line, and their weights.
///
/// Sample centres are aligned: output sample `i` is at `(i + 1/2) * source / output - 1/2`. Below a ratio of two it is a
/// blend of the two samples around that place; from two on it is the average of the samples it covers, so that none is
/// skipped. Both rules copy a line of equal length.
struct AxisFilter {
  let source: Int
  let output: Int
  /// The number of weights of an output sample, even.
  let taps: Int
  /// The first source sample of each output sample. Those after the end of the line have the weight zero.
  private(set) var firsts: [Int32] = []
  /// The weights of each output sample and of those that follow it, which add up to 256.
  private(set) var weights: [UInt16] = []

  /// Creates a filter from `source` samples to `output` ones; both are positive.
  init(source: Int, output: Int) {
    self.source = source
    self.output = output
    let isBlend = source < 2 * output
    taps = isBlend ? 2 : (source / output + (source % output == 0 ? 1 : 3)) & ~1
    for sample in 0..<output {
      if isBlend {
        // In units of 1/256 of a source sample.
        let place = min(max(((2 * sample + 1) * source - output) * 128 / output, 0), (source - 1) * 256)
        firsts.append(Int32(place / 256))
        weights += [256 - UInt16(place % 256), UInt16(place % 256)]
      } else {
        let first = sample * source / output
        firsts.append(Int32(first))
        // The edges of the source samples, in units of 1/256 of this output sample.
        let edges = (first...first + taps).map {
          min(max($0 * output * 256 / source - sample * 256, 0), 256)
        }
        weights += zip(edges, edges.dropFirst()).map { UInt16($1 - $0) }
      }
    }
  }
}
