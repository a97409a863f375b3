/// The rates of a broadcast.
enum Frames {
  /// Nanoseconds from one frame to the next at 60 a second.
  static let interval: UInt64 = 16_666_667
  /// Nanoseconds from one look to the next at 30 a second.
  static let look: UInt64 = 33_333_333
}
