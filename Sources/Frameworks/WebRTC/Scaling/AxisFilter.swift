/// The source samples and weights of each sample of a scaled line.
///
/// Sample centres are aligned: output sample `i` is at `(i + 1/2) * source / output - 1/2`. Below a ratio of two it is a
/// blend of the two samples around that place; from two on it is the average of the samples it covers, so that none is
/// skipped. Both rules copy a line of equal length.
struct AxisFilter {
  /// `256 - weight` parts of the sample at `index` and `weight` parts of the next one.
  struct Blend {
    var index: Int32
    var weight: UInt16
  }

  /// The average of `count` samples from `first` on, whose weights start at `weights`.
  struct Average {
    var first: Int32
    var count: Int32
    var weights: Int32
  }

  enum Kind {
    /// One per output sample. The last one may include the sample after the end, at weight zero.
    case blends([Blend])
    /// One per output sample; the weights of each add up to 65,536.
    case averages([Average], weights: [UInt32])
  }

  let source: Int
  let output: Int
  let kind: Kind

  /// Creates a filter from `source` samples to `output` ones; both are positive.
  init(source: Int, output: Int) {
    self.source = source
    self.output = output
    kind = source < 2 * output ? Self.blends(source, output) : Self.averages(source, output)
  }

  private static func blends(_ source: Int, _ output: Int) -> Kind {
    // In units of 1 / (2 * output) of a source sample, all numbers are integers.
    let unit = 2 * output
    return .blends(
      (0..<output).map { sample in
        let place = min(max((2 * sample + 1) * source - output, 0), (source - 1) * unit)
        let (index, rest) = place.quotientAndRemainder(dividingBy: unit)
        return Blend(index: Int32(index), weight: UInt16((rest * 256 + output) / unit))
      })
  }

  private static func averages(_ source: Int, _ output: Int) -> Kind {
    // In units of 1 / output of a source sample: an output sample covers `source` of them.
    var weights: [UInt32] = []
    let averages = (0..<output).map { sample in
      let (start, end) = (sample * source, (sample + 1) * source)
      let (first, last) = (start / output, (end - 1) / output)
      let offset = weights.count
      for index in first...last {
        let covered = min(end, (index + 1) * output) - max(start, index * output)
        weights.append(UInt32((covered * 65_536 + source / 2) / source))
      }
      // The rounding error goes to the middle sample, which is covered completely.
      let sum = weights[offset...].reduce(0, &+)
      weights[offset + (last - first) / 2] &+= 65_536 &- sum
      return Average(first: Int32(first), count: Int32(last - first + 1), weights: Int32(offset))
    }
    return .averages(averages, weights: weights)
  }
}
