import Foundation
import Synchronization

/// The emulated phone plays and records nothing for a process: settings are kept and have no effect.
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

  public class func sharedInstance() -> AVAudioSession { session }

  public struct Category: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
    public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
    public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
    public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
    public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
    public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
  }

  public struct Mode: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
    public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
    public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
    public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
    public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
  }

  public struct CategoryOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let mixWithOthers = CategoryOptions(rawValue: 0x1)
    public static let duckOthers = CategoryOptions(rawValue: 0x2)
    public static let allowBluetooth = CategoryOptions(rawValue: 0x4)
    public static let allowBluetoothHFP = allowBluetooth
    public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)
    public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)
    public static let allowAirPlay = CategoryOptions(rawValue: 0x40)
  }

  public struct SetActiveOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
  }

  public enum RecordPermission: UInt, Sendable {
    case undetermined = 0x756E_6474
    case denied = 0x6465_6E79
    case granted = 0x6772_6E74
  }

  public var category: Category { state.withLock(\.category) }
  public var mode: Mode { state.withLock(\.mode) }
  public var categoryOptions: CategoryOptions { state.withLock(\.options) }
  /// The preferred rate here.
  public var sampleRate: Double { state.withLock(\.rate) }
  public var preferredSampleRate: Double { state.withLock(\.rate) }
  /// The preferred duration here.
  public var ioBufferDuration: TimeInterval { state.withLock(\.duration) }
  public var isOtherAudioPlaying: Bool { false }
  public var recordPermission: RecordPermission { .granted }

  public func setCategory(_ category: Category) throws {
    try setCategory(category, mode: .default, options: [])
  }
  public func setCategory(_ category: Category, options: CategoryOptions) throws {
    try setCategory(category, mode: .default, options: options)
  }
  public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
    state.withLock { ($0.category, $0.mode, $0.options) = (category, mode, options) }
  }
  public func setMode(_ mode: Mode) throws { state.withLock { $0.mode = mode } }
  /// Without effect.
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}
  public func setPreferredSampleRate(_ sampleRate: Double) throws { state.withLock { $0.rate = sampleRate } }
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    state.withLock { $0.duration = duration }
  }
  /// Allowed without a question here.
  public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    DispatchQueue.main.async { response(true) }
  }

  /// Not posted here.
  public static let interruptionNotification = NSNotification.Name("AVAudioSessionInterruptionNotification")
  /// Not posted here.
  public static let routeChangeNotification = NSNotification.Name("AVAudioSessionRouteChangeNotification")
  /// Not posted here.
  public static let mediaServicesWereResetNotification = NSNotification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")
}

public let AVAudioSessionInterruptionTypeKey: String = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey: String = "AVAudioSessionInterruptionOptionKey"
public let AVAudioSessionRouteChangeReasonKey: String = "AVAudioSessionRouteChangeReasonKey"
