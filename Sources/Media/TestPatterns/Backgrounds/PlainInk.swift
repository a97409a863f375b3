/// Rows of one value each, to copy from: copying is fast in debug builds too, where loops are not.
struct PlainInk: Sendable {
  let dark: [UInt8]
  let bright: [UInt8]
  /// A row of chroma: as long as the pairs of all columns, so one byte longer than an odd width.
  let neutral: [UInt8]

  init(width: Int, levels: SampleLevels) {
    dark = Array(repeating: levels.black, count: width)
    bright = Array(repeating: levels.white, count: width)
    neutral = Array(repeating: levels.neutral, count: (width + 1) / 2 * 2)
  }
}
