import CommandLineSupport
import ReplayKit
import TestPatterns

/// What a command line says of the emulated screen: what it shows, how large it is, how often it changes.
package struct ScreenOptions: Equatable, Sendable {
  /// What the screen shows.
  package var source: ScreenSource
  /// Frames a second, 1 to 240; `nil` for the clip's own rate, or 60.
  package var framesPerSecond: Double?
  /// How the device is held.
  package var orientation: CGImagePropertyOrientation
  /// The pixel format of the frames.
  package var format: ScreenFormat

  /// The values of a command line.
  package init(_ invocation: Invocation) throws(UsageError) {
    source = try Self.screenSource(invocation)
    framesPerSecond = try invocation.value(of: Self.fps)
    orientation = try invocation.value(of: Self.orientation) ?? .up
    format = try invocation.value(of: Self.format) ?? .fullRange
  }

  /// What the screen will show, opened and ready, and how many pictures a second of it.
  @MainActor
  package func makeContent() throws(ScreenContentError) -> (any ScreenContent, framesPerSecond: Double) {
    let pixelFormat = format.pixelFormat
    switch source {
    case .pattern(let pattern, let size):
      let rate = framesPerSecond ?? 60
      let content = try PatternContent(
        pattern, width: size.width, height: size.height, pixelFormat: pixelFormat, framesPerSecond: rate)
      return (content, rate)
    case .clip(let path, let loops):
      let clip = try ClipContent(path: path, loops: loops, pixelFormat: pixelFormat)
      return (clip, framesPerSecond ?? clip.framesPerSecond ?? 60)
    case .standardInput:
      let clip = try ClipContent(path: "-", loops: false, pixelFormat: pixelFormat)
      return (clip, framesPerSecond ?? clip.framesPerSecond ?? 60)
    }
  }

  /// The screen that shows `content`; `onMisuse` is told of what a handler should not do with its samples.
  @MainActor
  package func makeScreen(
    _ content: any ScreenContent, onMisuse: (@Sendable (HandlerMisuse) -> Void)? = nil
  ) throws(ScreenContentError) -> EmulatedScreen {
    try EmulatedScreen(
      content: content, pixelFormat: format.pixelFormat, orientation: orientation, onMisuse: onMisuse)
  }

  private static func screenSource(_ invocation: Invocation) throws(UsageError) -> ScreenSource {
    let loops = invocation.has(loop)
    guard let stream = try invocation.value(of: source) else {
      guard !loops else { throw UsageError("--loop repeats a clip; add --source y4m:PATH.") }
      return .pattern(try invocation.value(of: pattern) ?? .bars, size: try patternSize(invocation))
    }
    guard !invocation.has(pattern) else {
      throw UsageError("--pattern and --source both say what to show; leave one out.")
    }
    guard !invocation.has(size) else {
      throw UsageError("--size is for patterns, and a --source has a size of its own; leave one out.")
    }
    guard !invocation.has(device) else {
      throw UsageError("--device is for patterns, and a --source has a size of its own; leave one out.")
    }
    guard stream == "-" else { return .clip(path: stream, loops: loops) }
    guard !loops else {
      throw UsageError("--loop needs a file, and standard input cannot be read twice; leave it out.")
    }
    return .standardInput
  }

  private static func patternSize(_ invocation: Invocation) throws(UsageError) -> Size {
    guard let profile = try invocation.value(of: device) else {
      return try invocation.value(of: size) ?? Size(width: 1080, height: 720)
    }
    guard !invocation.has(size) else {
      throw UsageError("--size and --device both give the size; leave one out.")
    }
    return Size(width: profile.width, height: profile.height)
  }
}
