/// How the samples of a line become those of a shorter or longer one: which to take, and how much of each.
///
/// Sample centres are aligned: output sample `i` lies at `(i + 1/2) * source / output - 1/2`. Below a ratio of
/// two it is blended of the two samples around that place; from two on it is the average of the samples it
/// covers, so that none is skipped. Lines of equal length are copied by either rule.
struct AxisFilter {
  /// A blend: `256 - weight` parts of the sample at `index` and `weight` parts of the one after it.
  struct Blend {
    var index: Int32
    var weight: UInt16
  }

  /// An average: `count` samples from `first` on, whose weights start at `weights`.
  struct Average {
    var first: Int32
    var count: Int32
    var weights: Int32
  }

  enum Kind {
    /// One for each output sample. The one at the end may name a sample behind the last, at no weight.
    case blends([Blend])
    /// One for each output sample; each one's weights add up to 65,536.
    case averages([Average], weights: [UInt32])
  }

  let source: Int
  let output: Int
  let kind: Kind

  /// A filter from `source` samples to `output` ones; both are positive.
  init(source: Int, output: Int) {
    self.source = source
    self.output = output
    kind = source < 2 * output ? Self.blends(source, output) : Self.averages(source, output)
  }

  private static func blends(_ source: Int, _ output: Int) -> Kind {
    // In units of 1 / (2 * output) of a source sample, all of this is whole numbers.
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
      // What rounding lost or won goes to the middle, which is covered whole.
      let sum = weights[offset...].reduce(0, &+)
      weights[offset + (last - first) / 2] &+= 65_536 &- sum
      return Average(first: Int32(first), count: Int32(last - first + 1), weights: Int32(offset))
    }
    return .averages(averages, weights: weights)
  }
}
