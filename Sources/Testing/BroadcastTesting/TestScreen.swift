import BroadcastExtension
import CommandLineSupport
import EmulatedSystem

/// The emulated screen: its content, its size, and its frame rate.
///
/// ```swift
/// TestScreen.pattern(.proof, device: "iphone-15")
/// ```
public struct TestScreen: Sendable {
  /// The synthetic frames.
  public enum Pattern: String, Sendable {
    case bars, noise
    /// Frames that reveal each wrong byte. The app verifies them.
    case proof
    /// An app whose list scrolls now and then. It produces no frames while it is unchanged.
    case app
  }

  /// The corresponding options of `producer`.
  let arguments: [String]
  /// Whether the app can verify the frames.
  let isProof: Bool

  /// The parsed options. Invalid options fail at the start; here they are replaced by the defaults.
  var options: ScreenOptions {
    do throws(UsageError) {
      if case .run(let options) = try ProducerOptions.parse(arguments) { return options.screen }
    } catch {}
    return ScreenOptions()
  }

  private init(_ arguments: [String], isProof: Bool = false) {
    self.arguments = arguments
    self.isProof = isProof
  }

  /// Creates a screen with a pattern. Its size in pixels is even, 16 to 8192; `framesPerSecond` is 1 to 240.
  public static func pattern(
    _ pattern: Pattern, width: Int = 160, height: Int = 120, framesPerSecond: Double = 60
  ) -> TestScreen {
    TestScreen(
      ["--pattern=\(pattern.rawValue)", "--size=\(width)x\(height)", "--fps=\(framesPerSecond)"],
      isProof: pattern == .proof)
  }

  /// Creates a screen with a pattern on a device with a version of iOS such as `17.4.1`. `producer --list-devices` prints
  /// the names of the devices, such as `iphone-15`. In the handler's calls `UIDevice`, `UIScreen` and `ProcessInfo`
  /// describe this device.
  public static func pattern(
    _ pattern: Pattern, device: String, ios: String = "26", framesPerSecond: Double = 60
  ) -> TestScreen {
    TestScreen(
      ["--pattern=\(pattern.rawValue)", "--device=\(device)", "--ios=\(ios)", "--fps=\(framesPerSecond)"],
      isProof: pattern == .proof)
  }

  /// Creates a screen that replays the trace in a file: the calls, times and shapes of all samples, including audio. The
  /// frames show a pattern. The broadcast ends as the trace does.
  public static func trace(_ path: String, pattern: Pattern = .bars) -> TestScreen {
    TestScreen(["--trace=\(path)", "--pattern=\(pattern.rawValue)"], isProof: pattern == .proof)
  }

  /// A permission that the person may deny an app and its extension.
  public enum Permission: String, Sendable { case photos, notifications, microphone }

  /// Returns the same screen on a phone whose person denies these permissions. By default all are granted.
  public func denying(_ permissions: Permission...) -> TestScreen {
    TestScreen(arguments + permissions.map { "--permission=\($0.rawValue):denied" }, isProof: isProof)
  }

  /// Creates a screen that shows a YUV4MPEG2 clip at the clip's own rate. The broadcast ends with the clip, unless it
  /// `loops`.
  public static func clip(_ path: String, loops: Bool = false) -> TestScreen {
    TestScreen(["--source=y4m:\(path)"] + (loops ? ["--loop"] : []))
  }
}

/// The source of one audio stream of the emulated device. The raw value is the value of the option of `producer`.
public enum TestAudio: String, Sendable {
  /// No samples.
  case off
  /// Silence, as delivered while no app plays.
  case silence
  /// A tone with a mark at each whole second, which the app measures.
  case tone
}
