/// The pixel format of the emulated screen, typed as Core Video's four characters.
enum ScreenFormat: String, CaseIterable {
  /// Full range: luma 0 to 255. What ReplayKit delivers.
  case fullRange = "420f"
  /// Video range: luma 16 to 235.
  case videoRange = "420v"
}
