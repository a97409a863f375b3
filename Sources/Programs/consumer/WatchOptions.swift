import AppProgram
import CommandLineSupport
import ScreenBroadcast

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
