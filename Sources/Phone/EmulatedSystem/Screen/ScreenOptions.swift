import CommandLineSupport
import CoreVideo
import EmulatedDevice
import Platform
import ReplayKitCore
import ScreenBroadcast
import TestPatterns

/// The options of the emulated screen: its content, its size, and its frame rate.
package struct ScreenOptions: OptionGroup {
  var pattern = TestPattern.bars
  /// The path of a YUV4MPEG2 clip (`-`: stdin); `nil` for a pattern.
  var clip: String?
  var loops = false
  /// The pattern's size; `nil` for the size that the device delivers.
  var size: PixelSize?
  /// The device; `nil` for ``DeviceProfile/standard``.
  package var device: DeviceProfile?
  /// Whether a pattern fills the device's panel, instead of having the size that the device delivers.
  var fillsPanel = false
  /// The orientation in which the device is held.
  package var orientation = CGImagePropertyOrientation.up
  /// Frames per second, 1 to 240; `nil` for the clip's own rate, or the rate of the iOS version.
  package var framesPerSecond: Double?
  package var format = ScreenFormat.fullRange
  /// The version of iOS that delivers the frames.
  package var ios = IOSVersion.newest
  /// The permissions that the person has denied the app.
  package var denied: Set<Permission> = []

  package init() {}

  package static let options = shown + phone

  private static let shown: [Option<Self>] = [
    .value(
      "--pattern", "NAME", .choice, \.pattern,
      help:
        "Synthetic frames: bars, noise, proof (for 'consumer --verify'), chart (for 'check'), or app (no frames while "
        + "it is unchanged)."
    ),
    .value(
      "--source", "y4m:PATH",
      OptionValue(
        "y4m:PATH, or y4m:- for stdin", meant: { $0.hasSuffix(".y4m") ? "y4m:\($0)" : nil },
        advice: {
          $0.contains(".")
            ? "make a clip with: ffmpeg -i \($0.shellWord) -pix_fmt yuv420p clip.y4m, then --source y4m:clip.y4m"
            : nil
        },
        read: { text -> String? in
          let path = text.dropFirst("y4m:".count)
          return text.hasPrefix("y4m:") && !path.isEmpty ? String(path) : nil
        }), \.clip,
      help: "A YUV4MPEG2 clip instead of a pattern; y4m:- reads stdin."),
    .flag(
      "--loop", \.loops,
      help: "Repeat the clip. Without this option the broadcast or capture ends with the clip."),
    .value(
      "--size", "WxH", .evenSize(in: 16...8192), \.size,
      help: "The pattern's size in pixels (even, 16 to 8192).", default: "the size from the device"),
    .value(
      "--device", "NAME", .device, \.device,
      help:
        "The device, such as iphone-15 or 'iPhone SE': a pattern has the size of the frames that it delivers.",
      default: DeviceProfile.standard.name),
    .listing(
      "--list-devices", help: "Print the devices, with the sizes of their frames and panels.",
      text: { DeviceProfile.list }),
    .flag("--panel", \.fillsPanel, help: "A pattern has the pixels of the device's panel instead."),
    .value(
      "--orientation", "NAME", .orientation, \.orientation,
      help:
        "The orientation in which the device is held, attached to every frame and drawn by patterns: \(orientationNames). "
        + "Mirrored orientations were never seen on devices."),
    .value(
      "--fps", "N", .number(in: 1...240), \.framesPerSecond,
      help: "Frames per second, 1 to 240, decimals allowed.",
      default: "60 (30 up to iOS 13), or the clip's rate"),
    .value(
      "--format", "NAME", .choice, \.format,
      help: "The pixel format: 420f (full range, as ReplayKit delivers) or 420v (video range)."),
  ].under("What the screen shows")

  private static let phone: [Option<Self>] = [
    .value(
      "--ios", "N", .ios, \.ios,
      help: "Emulate this version of iOS (11 to 18, or 26) where broadcasts differ by version.")
  ].under("The phone")

  private static let orientationNames = CGImagePropertyOrientation.all.map(\.name).joined(separator: ", ")

  package mutating func finish(_ invocation: Invocation) throws(UsageError) {
    for name in ["--device", "--panel"] where invocation.has(name) && invocation.has("--size") {
      throw UsageError("--size and \(name) cannot be combined: both set the size.")
    }
    guard let clip else {
      guard !loops else { throw UsageError("--loop repeats a clip; add --source y4m:PATH.") }
      return
    }
    if invocation.has("--pattern") {
      throw UsageError("--pattern and --source cannot be combined: both set the content of the screen.")
    }
    for name in ["--size", "--device", "--panel"] where invocation.has(name) {
      throw UsageError("\(name) cannot be combined with --source, because a clip has a fixed size.")
    }
    if clip == "-", loops {
      throw UsageError("--loop needs a file, because stdin cannot be read twice; leave --loop out.")
    }
  }

  package var namedFiles: [NamedFile] { [.reads("--source", clip)] }

  /// Creates the screen. `onMisuse` receives the handler's misuses of its samples.
  @MainActor
  package func makeScreen(
    onMisuse: (@Sendable (HandlerMisuse) -> Void)? = nil
  ) throws(ProgramFailure) -> EmulatedScreen {
    let clip: Clip?
    do throws(ScreenContentError) {
      clip =
        if let path = self.clip { try Clip(path: path, loops: loops, pixelFormat: format.pixelFormat) } else {
          nil
        }
    } catch {
      throw ProgramFailure(error)
    }
    let rate = framesPerSecond ?? clip?.framesPerSecond ?? ios.framesPerSecond
    guard (1...240).contains(rate) else {
      throw ProgramFailure(
        .usage, "The clip has \(JSONValue.number(rate).text) frames per second; choose 1 to 240 with --fps.")
    }
    do throws(ScreenContentError) {
      let content: ScreenContent =
        if let clip { .clip(clip) } else {
          try .pattern(
            pattern, size: patternSize, pixelFormat: format.pixelFormat, framesPerSecond: rate,
            matrix: ScreenColours(ios).matrix)
        }
      let screen = try EmulatedScreen(
        content: content, framesPerSecond: rate, pixelFormat: format.pixelFormat, orientation: orientation,
        ios: ios, onMisuse: onMisuse)
      screen.timeJitter = .microseconds(500)
      return screen
    } catch {
      throw ProgramFailure(error)
    }
  }

  /// Sets the shape and rate of the screen to those of the frames of a trace.
  package mutating func follow(_ trace: Trace) {
    let frames = trace.lines.compactMap { line in
      if case .video(let shape, let presentation) = line.call {
        (shape: shape, time: presentation)
      } else {
        nil
      }
    }
    guard let first = frames.first, let last = frames.last else { return }
    (size, orientation) = (first.shape.size, first.shape.orientation ?? .up)
    format = first.shape.format == ScreenFormat.videoRange.pixelFormat ? .videoRange : .fullRange
    let seconds = Double(last.time - first.time) / 1e9
    if seconds > 0 {
      framesPerSecond = min(max(1, (100 * Double(frames.count - 1) / seconds).rounded() / 100), 240)
    }
  }

  /// Makes a pattern fill the device's panel, unless a size is given.
  package mutating func showsNativeSize() { fillsPanel = size == nil }

  /// The device that the screen belongs to.
  package var profile: DeviceProfile { device ?? .standard }

  /// The device as code sees it, with the usual memory limit.
  package var identity: Device.Identity { Device.Identity(profile: profile, ios: ios) }

  /// The size of a pattern. Some panels have an odd width.
  package var patternSize: PixelSize { size ?? (fillsPanel ? profile.panel : profile.frames) }
}
