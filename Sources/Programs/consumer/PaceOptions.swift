import CommandLineSupport
import ScreenBroadcast

/// The options for the interval at which `watch`, `start`, `stop` and `status` read the flag, and for their timeout.
struct PaceOptions: OptionGroup {
  /// How long to wait for a result; `nil` for no limit (only `watch`).
  var wait: Duration?
  var statusInterval = BroadcastStatusManagerImpl.pollInterval

  static let options: [Option<Self>] = [
    .value(
      "--wait", "TIME", .seconds(in: .zero...CommonOptions.longest), \.wait,
      help: "How long to wait for the result, 0 to 1000000 seconds; then exit with 69.",
      default: "10 for start and stop, 0 for status, no limit for watch"),
    .value(
      "--status-interval", "TIME", .seconds(in: .milliseconds(10)...(.seconds(60))), \.statusInterval,
      help: "The time between two polls of the status, 0.01 to 60 seconds."),
  ].under("Intervals and time limits")
}
