import AppProgram
import CommandLineSupport
import ContainingApp
import Foundation
import ScreenBroadcast

/// The options for the interval at which `watch`, `start`, `stop` and `status` read the flag, and for their timeout.
struct PaceOptions: OptionGroup {
  /// How long to wait for a result; `nil` for no limit (only `watch`).
  var wait: Duration?
  var statusInterval = Duration.milliseconds(500)

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

/// The options for receiving a broadcast with `watch`.
struct WatchOptions: OptionGroup {
  var pollsPerSecond = 30.0
  var wake = false
  var layout = BroadcastLayout.ring
  var once = false

  static let options: [Option<Self>] = [
    .value(
      "--poll-fps", "N", .number(in: 1...240), \.pollsPerSecond,
      help: "Polls per second, 1 to 240, decimals allowed."),
    .flag("--wake", \.wake, help: "Receive each frame at once instead of at the next poll."),
    .value(
      "--layout", "NAME", .choice, \.layout,
      help: "The layout of the shared frames: ring, or article, the article's single slot without "
        + "synchronization. The producer must use the same layout. With article, each poll reads the slot, "
        + "whether its frame is new or not."),
  ].under(FrameOptions.call)

  static let ending: [Option<Self>] = [
    .flag("--once", \.once, help: "End when the first broadcast has ended.")
  ].under("When to end")

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    if wake, invocation.has("--poll-fps") {
      throw UsageError("--wake and --poll-fps cannot be combined: --wake receives every frame without polls.")
    }
    if wake, layout == .article {
      throw UsageError("--wake needs the ring, and cannot be combined with the layout 'article'.")
    }
  }
}

/// The options for the program that `start` launches.
struct StartOptions: OptionGroup {
  /// The program; `nil` for the `producer` next to this program.
  var producer: String?
  var producerArguments: [String] = []

  static let options: [Option<Self>] = [
    .value(
      "--producer", "PATH", .text("a program"), \.producer, help: "The program of the extension to launch.",
      default: "the producer next to this program")
  ].under("The extension (start)").only(with: ["start"])

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    producerArguments = invocation.passthrough
    let shared = CommonOptions.sharing.map(\.declaration.name)
    for argument in producerArguments {
      let name = String(argument.prefix { $0 != "=" })
      guard !shared.contains(name) else {
        throw UsageError(
          "\(name) belongs before '--', because consumer passes it to the producer; move it there.")
      }
    }
  }

  /// Returns the launch of the producer.
  func launch(_ container: AppGroupContainer, _ common: CommonOptions) -> ProducerLaunch {
    ProducerLaunch(
      program: producer.map { URL(fileURLWithPath: $0) } ?? ProducerLaunch.neighbour,
      arguments: common.sharedArguments + producerArguments, container: container)
  }
}
