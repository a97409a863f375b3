import CoreVideo

/// The pixel format of the emulated screen, typed as Core Video's four characters.
package enum ScreenFormat: String, CaseIterable, Sendable {
  /// Full range (luma 0 to 255), as ReplayKit delivers it.
  case fullRange = "420f"
  /// Video range (luma 16 to 235).
  case videoRange = "420v"

  /// Core Video's constant, which consists of the four characters.
  var pixelFormat: OSType { rawValue.utf8.reduce(0) { $0 << 8 | OSType($1) } }
}
