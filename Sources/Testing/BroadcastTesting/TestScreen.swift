import BroadcastExtension
import CommandLineSupport
import EmulatedSystem

/// What the emulated screen shows, its size, and how often it changes.
///
/// ```swift
/// TestScreen.pattern(.proof, device: "iphone-15")
/// ```
public struct TestScreen: Sendable {
  /// The synthetic frames.
  public enum Pattern: String, Sendable {
    case bars, noise
    /// Frames that show each wrong byte, which the app verifies.
    case proof
    /// An app with a list, a keyboard and text, which gives no frames while it is at rest.
    case app
  }

  /// The options of `producer` for it.
  let arguments: [String]
  /// Whether the app can verify the frames.
  let isProof: Bool

  /// What these options say; those that are wrong fail at the start, and are as without them here.
  var options: ScreenOptions {
    do throws(UsageError) {
      if case .run(let options) = try ProducerOptions.parse(arguments) { return options.screen }
    } catch {}
    return ScreenOptions()
  }

  private init(_ arguments: [String], isProof: Bool = false) {
    (self.arguments, self.isProof) = (arguments, isProof)
  }

  /// A pattern of a size in pixels: even, 16 to 8192. `framesPerSecond` is 1 to 240.
  public static func pattern(
    _ pattern: Pattern, width: Int = 160, height: Int = 120, framesPerSecond: Double = 60
  ) -> TestScreen {
    TestScreen(
      ["--pattern=\(pattern.rawValue)", "--size=\(width)x\(height)", "--fps=\(framesPerSecond)"],
      isProof: pattern == .proof)
  }

  /// A pattern on the screen of a device, by a name that `producer --list-devices` prints, such as `iphone-15`, with a version
  /// of iOS such as `17.4.1`. `UIDevice`, `UIScreen` and `ProcessInfo` answer as on this device in the handler's calls.
  public static func pattern(
    _ pattern: Pattern, device: String, ios: String = "26", framesPerSecond: Double = 60
  ) -> TestScreen {
    TestScreen(
      ["--pattern=\(pattern.rawValue)", "--device=\(device)", "--ios=\(ios)", "--fps=\(framesPerSecond)"],
      isProof: pattern == .proof)
  }

  /// What a phone did, by the trace in a file: the calls, times and shapes of all samples, audio included. The pictures are
  /// those of a pattern, and the broadcast ends as the trace does.
  public static func trace(_ path: String, pattern: Pattern = .bars) -> TestScreen {
    TestScreen(["--trace=\(path)", "--pattern=\(pattern.rawValue)"], isProof: pattern == .proof)
  }

  /// What the person of this phone may deny an app and its extension.
  public enum Permission: String, Sendable { case photos, notifications, microphone }

  /// The same on a phone whose person denies this. Without it all is granted.
  public func denying(_ permissions: Permission...) -> TestScreen {
    TestScreen(arguments + permissions.map { "--permission=\($0.rawValue):denied" }, isProof: isProof)
  }

  /// A YUV4MPEG2 clip at its own rate; the broadcast ends with it, unless it `loops`.
  public static func clip(_ path: String, loops: Bool = false) -> TestScreen {
    TestScreen(["--source=y4m:\(path)"] + (loops ? ["--loop"] : []))
  }
}

/// The source of one audio stream of the emulated device. The raw value is that of the options of `producer`.
public enum TestAudio: String, Sendable {
  /// No samples.
  case off
  /// Silent samples, as while no app plays.
  case silence
  /// A tone with a mark at each whole second, which the app measures.
  case tone
}
