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
        + "synchronisation. The producer must use the same. With article each poll takes the slot's content, "
        + "new or not."),
  ].under(FrameOptions.call)

  static let ending: [Option<Self>] = [
    .flag("--once", \.once, help: "End when the first broadcast has ended.")
  ].under("When to end")

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    if wake, invocation.has("--poll-fps") {
      throw UsageError("--wake receives every frame and --poll-fps polls for frames; leave one out.")
    }
    if wake, layout == .article {
      throw UsageError("--wake needs the ring, and the layout is 'article'; leave one out.")
    }
  }
}
