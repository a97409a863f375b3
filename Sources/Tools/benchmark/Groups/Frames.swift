/// The rates of a broadcast.
enum Frames {
  /// Nanoseconds between two frames at 60 per second.
  static let interval: UInt64 = 16_666_667
  /// Nanoseconds between two polls at 30 per second.
  static let pollInterval: UInt64 = 33_333_333
}
