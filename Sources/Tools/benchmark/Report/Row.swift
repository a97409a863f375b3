/// A line of the table: the measured quantity, its unit, its reference and its bar.
struct Row {
  /// The name in the machine output: `publish.fill`.
  let id: String
  /// The name in the table.
  let title: String
  let unit: Unit
  /// The id of the reference row, which the figures are divided by, round by round.
  var beside: String?
  /// The requirement at the default size.
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

    /// The figure of a loop whose iterations take this number of nanoseconds.
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
