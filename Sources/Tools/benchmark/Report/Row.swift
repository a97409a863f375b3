/// A line of the table: what is measured, in what unit, beside what, and how good it must be.
struct Row {
  /// The name in the machine output: `publish.fill`.
  let id: String
  /// What a person reads.
  let title: String
  /// The unit of its figures.
  let unit: Unit
  /// The row whose figure of the same round its own is divided by.
  var beside: String?
  /// How good it must be on the default size.
  var bar: Bar?

  /// The units of figures.
  enum Unit: String, Codable {
    case framesPerSecond = "frames/s"
    case nanoseconds = "ns"
    case microseconds = "µs"
    case milliseconds = "ms"
    case millisecondsPerSecond = "ms/s"
    case mebibytes = "MiB"
    case bytes = "bytes"

    /// The figure of a loop whose iterations take so many nanoseconds.
    func figure(nanoseconds: Double) -> Double {
      switch self {
      case .framesPerSecond: 1e9 / nanoseconds
      case .nanoseconds: nanoseconds
      case .microseconds: nanoseconds / 1e3
      case .milliseconds: nanoseconds / 1e6
      case .millisecondsPerSecond, .mebibytes, .bytes:
        preconditionFailure("no time is measured in \(rawValue)")
      }
    }
  }
}
