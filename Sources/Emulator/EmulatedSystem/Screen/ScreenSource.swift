import CommandLineSupport
import TestPatterns

/// What the emulated screen shows.
package enum ScreenSource: Equatable, Sendable {
  /// A synthetic picture of a size of choice, which may have odd sides when it is a device's.
  case pattern(TestPattern, size: Size)
  /// A YUV4MPEG2 file, from its beginning again at its end when it loops.
  case clip(path: String, loops: Bool)
  /// A YUV4MPEG2 stream on standard input.
  case standardInput
}
