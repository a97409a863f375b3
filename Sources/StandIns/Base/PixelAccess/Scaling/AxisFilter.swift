import CPixels

/// The source samples of each sample of a scaled line, and their weights.
///
/// Sample centres are aligned: output sample `i` is at `(i + 1/2) * source / output - 1/2`. Below a ratio of two it is a
/// blend of the two samples around that place; from two on it is the average of the samples it covers, so that none is
/// skipped. Both rules copy a line of equal length.
struct AxisFilter {
  let source: Int
  let output: Int
  /// The number of source samples that an output sample is made of.
  let taps: Int
  /// The groups of four weights of an output sample, of which those after `taps` are zero.
  let groups: Int
  /// The first source sample of each output sample; those after the end of the line have the weight zero. The list is
  /// filled up to a multiple of four output samples.
  private(set) var firsts: [Int32]
  /// The weights of a group for each output sample, four at a time; then those of the next group. The weights of an output
  /// sample add up to 256.
  private(set) var weights: [Int16]

  /// Creates a filter from `source` samples to `output` ones; both are positive.
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

  /// The place of an output sample's first weight in a group.
  private func index(of sample: Int, _ group: Int) -> Int { 4 * (group * firsts.count + sample) }

  /// Calls `body` with the filter for a loop.
  func withFilter(_ body: (UnsafePointer<cpixels_filter>) -> Void) {
    // UNSAFE: the arrays are lent for the call.
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
