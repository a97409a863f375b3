import CPixels

/// The source samples and the weights for each output sample of a scaled line.
///
/// The centres of the samples are aligned: output sample `i` is at `(i + 1/2) * source / output - 1/2`. Below a ratio
/// of two, an output sample is a blend of the two source samples around this position. From two on, it is the average
/// of the source samples that it covers, so no sample is skipped. Both rules copy a line of equal length.
struct AxisFilter {
  let source: Int
  let output: Int
  /// The number of source samples per output sample.
  let taps: Int
  /// The number of groups of four weights per output sample. Weights after `taps` are zero.
  let groups: Int
  /// The first source sample of each output sample, filled up to a multiple of four output samples. Samples after the
  /// end of the line have a weight of zero.
  private(set) var firsts: [Int32]
  /// For each group, four weights for each output sample. The weights of an output sample add up to 256.
  private(set) var weights: [Int16]

  /// Creates a filter from `source` samples to `output` samples. Both numbers are positive.
  init(source: Int, output: Int) {
    self.source = source
    self.output = output
    let isBlend = source < 2 * output
    taps = isBlend ? 2 : source / output + (source % output == 0 ? 0 : 2)
    groups = (taps + 3) / 4
    firsts = [Int32](repeating: 0, count: (output + 3) / 4 * 4)
    weights = [Int16](repeating: 0, count: firsts.count * groups * 4)
    for sample in 0..<output {
      if isBlend {
        // In units of 1/256 of a source sample.
        let place = min(max(((2 * sample + 1) * source - output) * 128 / output, 0), (source - 1) * 256)
        firsts[sample] = Int32(place / 256)
        weights[4 * sample] = 256 - Int16(place % 256)
        weights[4 * sample + 1] = Int16(place % 256)
      } else {
        let first = sample * source / output
        firsts[sample] = Int32(first)
        // The edges of the source samples, in units of 1/256 of this output sample.
        func edge(_ tap: Int) -> Int {
          min(max((first + tap) * output * 256 / source - sample * 256, 0), 256)
        }
        for tap in 0..<taps {
          weights[index(of: sample, tap / 4) + tap % 4] = Int16(edge(tap + 1) - edge(tap))
        }
      }
    }
  }

  /// Returns the index of the first weight of an output sample in a group.
  private func index(of sample: Int, _ group: Int) -> Int { 4 * (group * firsts.count + sample) }

  func withFilter(_ body: (UnsafePointer<cpixels_filter>) -> Void) {
    // UNSAFE: the arrays are valid for the call.
    unsafe firsts.withUnsafeBufferPointer { firsts in
      unsafe weights.withUnsafeBufferPointer { weights in
        var filter = unsafe cpixels_filter(
          taps: Int32(taps), groups: Int32(groups), count: Int32(firsts.count), firsts: firsts.baseAddress,
          weights: weights.baseAddress)
        unsafe body(&filter)
      }
    }
  }
}
