/// Rows of one value each, to copy from: copying is fast in debug builds too, where loops are not.
struct PlainInk: Sendable {
  let dark: [UInt8]
  let bright: [UInt8]
  let neutral: [UInt8]

  init(width: Int, levels: SampleLevels) {
    dark = Array(repeating: levels.black, count: width)
    bright = Array(repeating: levels.white, count: width)
    neutral = Array(repeating: levels.neutral, count: width)
  }
}
