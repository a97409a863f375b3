import Foundation
import Synchronization

/// The audio of the process. Models the class of AVFAudio's AVAudioSession.h. The emulated phone plays and records nothing for a
/// process: settings are kept and have no effect.
public final class AVAudioSession: NSObject, Sendable {
  private static let session = AVAudioSession()
  private let state = Mutex(State())

  private struct State: Sendable {
    var category = Category.soloAmbient
    var mode = Mode.default
    var options: CategoryOptions = []
    var rate = 48_000.0
    var duration = 0.02
  }

  /// The one session of the process.
  public class func sharedInstance() -> AVAudioSession { session }

  /// What the process does with audio.
  public struct Category: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// Creates a category from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Plays beside others.
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    /// Plays alone, and not while the phone is muted.
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    /// Plays.
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    /// Records.
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    /// Plays and records.
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    /// Several routes.
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
  }

  /// What the audio is for.
  public struct Mode: RawRepresentable, Hashable, Sendable {
    /// The name.
    public let rawValue: String
    /// Creates a mode from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Anything.
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    /// A call.
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    /// A call with video.
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    /// A recording with video.
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    /// A measurement.
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    /// A movie.
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
  }

  /// Options of a category, as bits.
  public struct CategoryOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Creates options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Plays beside others.
    public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
    /// Makes others quieter.
    public static let duckOthers = CategoryOptions(rawValue: 0x2)
    /// Allows hands-free Bluetooth.
    public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
    /// Allows hands-free Bluetooth, by its name from iOS 26 on.
    public static let allowBluetoothHFP = allowBluetooth
    /// Plays on the speaker.
    public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
    /// Allows Bluetooth of high quality.
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
    /// Allows AirPlay.
    public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
  }

  /// Options of a change of ``AVAudioSession/setActive(_:options:)``, as bits.
  public struct SetActiveOptions: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt
    /// Creates options from their bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Tells the others that they may go on.
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  /// Whether the process may record.
  public enum RecordPermission: UInt, Sendable {
    /// The person was not asked: "undt".
    case undetermined = 0x756E_6474
    /// No: "deny".
    case denied = 0x6465_6E79
    /// Yes: "grnt".
    case granted = 0x6772_6E74
  }

  /// What the process does with audio.
  public var category: Category { state.withLock(\.category) }
  /// What the audio is for.
  public var mode: Mode { state.withLock(\.mode) }
  /// The options of the category.
  public var categoryOptions: CategoryOptions { state.withLock(\.options) }
  /// The frames per second of the device: the preferred ones.
  public var sampleRate: Double { state.withLock(\.rate) }
  /// The preferred frames per second.
  public var preferredSampleRate: Double { state.withLock(\.rate) }
  /// The seconds of a buffer of the device: the preferred ones.
  public var ioBufferDuration: TimeInterval { state.withLock(\.duration) }
  /// Whether another app plays: `false`.
  public var isOtherAudioPlaying: Bool { false }
  /// Whether the process may record: yes.
  public var recordPermission: RecordPermission { .granted }

  /// Sets the category.
  public func setCategory(_ category: Category) throws {
    try setCategory(category, mode: .default, options: [])
  }
  /// Sets the category and its options.
  public func setCategory(_ category: Category, options: CategoryOptions) throws {
    try setCategory(category, mode: .default, options: options)
  }
  /// Sets the category, the mode and the options.
  public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    state.withLock { ($0.category, $0.mode, $0.options) = (category, mode, options) }
  }
  /// Sets the mode.
  public func setMode(_ mode: Mode) throws { state.withLock { $0.mode = mode } }
  /// Begins or ends the use of audio. Without effect.
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
  /// Sets the preferred frames per second.
  public func setPreferredSampleRate(_ sampleRate: Double) throws { state.withLock { $0.rate = sampleRate } }
  /// Sets the preferred seconds of a buffer.
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    state.withLock { $0.duration = duration }
  }
  /// Asks the person, who allows it.
  public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    DispatchQueue.main.async { response(true) }
  }

  /// Posted when a call interrupts the audio. The emulated system does not post it.
  public static let interruptionNotification = NSNotification.Name("AVAudioSessionInterruptionNotification")
  /// Posted when the route changes. The emulated system does not post it.
  public static let routeChangeNotification = NSNotification.Name("AVAudioSessionRouteChangeNotification")
  /// Posted when the media services start again. The emulated system does not post it.
  public static let mediaServicesWereResetNotification = NSNotification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
}

/// The key of the kind of an interruption.
public let AVAudioSessionInterruptionTypeKey: String = "AVAudioSessionInterruptionTypeKey"
/// The key of the options of an interruption.
public let AVAudioSessionInterruptionOptionKey: String = "AVAudioSessionInterruptionOptionKey"
/// The key of the reason of a change of the route.
public let AVAudioSessionRouteChangeReasonKey: String = "AVAudioSessionRouteChangeReasonKey"
