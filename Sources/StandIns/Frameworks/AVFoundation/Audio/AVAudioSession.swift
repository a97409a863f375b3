import EmulatedDevice
import Foundation
import Synchronization

/// The emulated phone does not play or record audio for a process. The session of the current device keeps its
/// settings, and is notified of calls and route changes. It is not known which notifications an extension's session
/// receives on a phone; here it receives the same as an app's.
public final class AVAudioSession: NSObject, Sendable {
  private weak let device: Device?
  private let state = Mutex(State())

  fileprivate struct State: Sendable {
    var category = Category.soloAmbient
    var mode = Mode.default
    var options: CategoryOptions = []
    var preferredRate = 0.0
    var duration = 0.02
    var isActive = false
    /// Whether a call has interrupted the session.
    var isInterrupted = false
    /// The sample rate while the session is active.
    var rate: Double?
  }

  /// What a category is for, and the options that it refuses, by Apple's pages of `AVAudioSession.CategoryOptions`.
  private struct Rules: Sendable {
    var plays = true
    var records = false
    var refused: CategoryOptions = [.defaultToSpeaker, .allowBluetooth, .allowAirPlay]
  }

  private static let rules: [Category: Rules] = [
    .ambient: Rules(), .soloAmbient: Rules(), .playback: Rules(),
    .record: Rules(plays: false, records: true, refused: [.defaultToSpeaker, .allowAirPlay]),
    .playAndRecord: Rules(records: true, refused: []), .multiRoute: Rules(records: true),
  ]

  private init(_ device: Device) { self.device = device }

  public class func sharedInstance() -> AVAudioSession {
    _ = isPosting
    return session(of: .current)
  }

  private static func session(of device: Device) -> AVAudioSession { device.object { AVAudioSession($0) } }

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
  /// The rate of the route. If the route has none: the rate of the hardware that is nearest to the preferred rate. 48 kHz while the
  /// session is inactive.
  public var sampleRate: Double { state.withLock(\.rate) ?? 48_000 }
  public var preferredSampleRate: Double { state.withLock(\.preferredRate) }
  /// The preferred duration here.
  public var ioBufferDuration: TimeInterval { state.withLock(\.duration) }
  public var isOtherAudioPlaying: Bool { false }
  public var isInputAvailable: Bool { true }
  public var currentRoute: AVAudioSessionRouteDescription { route((device ?? .current).state.route) }
  public var recordPermission: RecordPermission {
    switch (device ?? .current).status(of: .microphone) {
    case .notDetermined: .undetermined
    case .denied: .denied
    case .granted: .granted
    }
  }

  /// The error of a category that there is not, and of an option that the category refuses, is `badParam`. A mode that the category
  /// does not support has the behaviour of the default mode.
  public func setCategory(_ category: Category, mode: Mode = .default, options: CategoryOptions = []) throws {
    guard let rules = Self.rules[category], rules.refused.isDisjoint(with: options) else {
      throw NSError(code: ErrorCode.badParam.rawValue)
    }
    let (device, previous) = (device ?? .current, currentRoute)
    let isChange = state.withLock { state in
      defer {
        (state.category, state.mode, state.options) = (category, mode, options)
        if state.isActive { state.rate = state.rate(on: device.state.route) }
      }
      return state.isActive && state.category != category
    }
    if isChange { postRouteChange(.categoryChange, previous, device) }
  }
  public func setMode(_ mode: Mode) throws { try setCategory(category, mode: mode, options: categoryOptions) }
  /// Fails with `insufficientPriority` during a call, and with `cannotInterruptOthers` if the app is in the background and its session
  /// does not mix with others.
  public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {
    let owner = device ?? .current
    let now = owner.state
    let mayInterrupt = owner.role == .extension || !now.app.isInBackground
    let refusal: ErrorCode? = state.withLock { state in
      if active, now.call != nil { return .insufficientPriority }
      if active, !mayInterrupt, !state.isActive, !state.mixes { return .cannotInterruptOthers }
      state.isActive = active
      state.isInterrupted = false
      state.rate = active ? state.rate(on: now.route) : nil
      return nil
    }
    if let refusal { throw NSError(code: refusal.rawValue, text: "Session activation failed") }
  }
  public func setPreferredSampleRate(_ sampleRate: Double) throws {
    state.withLock { $0.preferredRate = sampleRate }
  }
  public func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
    state.withLock { $0.duration = duration }
  }
  public func requestRecordPermission(_ response: @escaping @Sendable (Bool) -> Void) {
    let device = device ?? .current
    MainBundle.requirePurpose(["NSMicrophoneUsageDescription"])
    let isGranted = device.ask(for: .microphone)
    device.enqueue(.main) { response(isGranted) }
  }

  /// Posted on the main queue.
  public static let interruptionNotification = name("AVAudioSessionInterruptionNotification")
  /// Posted on a global queue.
  public static let routeChangeNotification = name("AVAudioSessionRouteChangeNotification")
  /// Not posted here.
  public static let mediaServicesWereResetNotification = NSNotification.Name(
    "AVAudioSessionMediaServicesWereResetNotification")

  public enum InterruptionType: UInt, Sendable {
    case ended, began
  }

  public struct InterruptionOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let shouldResume = InterruptionOptions(rawValue: 1)
  }

  public enum RouteChangeReason: UInt, Sendable {
    case unknown, newDeviceAvailable, oldDeviceUnavailable, categoryChange, override, wakeFromSleep = 6,
      noSuitableRouteForCategory, routeConfigurationChange
  }

  public enum ErrorCode: Int, Sendable {
    case none = 0
    case mediaServicesFailed = 0x6D73_7276
    case isBusy = 0x2161_6374
    case incompatibleCategory = 0x2163_6174
    case cannotInterruptOthers = 0x2169_6E74
    case siriIsRecording = 0x7369_7269
    case cannotStartPlaying = 0x2170_6C61
    case cannotStartRecording = 0x2172_6563
    case badParam = -50
    case insufficientPriority = 0x2170_7269
    case resourceNotAvailable = 0x2172_6573
    case unspecified = 0x7768_6174
  }

  // MARK: Changes of the device

  private static func name(_ text: String) -> NSNotification.Name {
    _ = isPosting
    return NSNotification.Name(text)
  }

  private static let isPosting: Void = Device.whenChanged { device, old, new in
    let session = session(of: device)
    if (old.call == nil) != (new.call == nil) { session.follow(isInCall: new.call != nil, device) }
    if old.route != new.route { session.follow(old.route, new.route, device) }
  }

  private func follow(isInCall: Bool, _ device: Device) {
    let isConcerned = state.withLock { state in
      let isConcerned = isInCall ? state.isActive : state.isInterrupted
      (state.isActive, state.isInterrupted) = (state.isActive && !isInCall, isConcerned && isInCall)
      return isConcerned
    }
    guard isConcerned else { return }
    let type = isInCall ? InterruptionType.began : .ended
    var values = [AVAudioSessionInterruptionTypeKey: type.rawValue]
    if !isInCall {
      values[AVAudioSessionInterruptionOptionKey] = InterruptionOptions.shouldResume.rawValue
    }
    device.post(Self.interruptionNotification, from: self, values.mapValues { $0 as NSNumber })
  }

  private func follow(_ old: AudioRoute, _ new: AudioRoute, _ device: Device) {
    state.withLock { if $0.isActive { $0.rate = $0.rate(on: new) } }
    postRouteChange(new == .builtIn ? .oldDeviceUnavailable : .newDeviceAvailable, route(old), device)
  }

  private func postRouteChange(
    _ reason: RouteChangeReason, _ previous: AVAudioSessionRouteDescription, _ device: Device
  ) {
    device.post(
      Self.routeChangeNotification, from: self,
      [
        AVAudioSessionRouteChangeReasonKey: reason.rawValue as NSNumber,
        AVAudioSessionRouteChangePreviousRouteKey: previous,
      ], on: .global())
  }

  /// Returns the ports of a route. There are inputs only if the category records.
  private func route(_ route: AudioRoute) -> AVAudioSessionRouteDescription {
    let state = state.withLock(\.self)
    let rules = Self.rules[state.category] ?? Rules()
    var (input, output) = (Port.builtInMic, Port.builtInSpeaker)
    if state.category == .playAndRecord, !state.effectiveOptions.contains(.defaultToSpeaker) {
      output = .builtInReceiver
    }
    switch route.text {
    case "airpods":
      output = state.bluetooth ?? output
      if state.bluetooth == .bluetoothHFP { input = .bluetoothHFP }
    case "built-in", "multi-camera": break
    default: (input, output) = (.usbAudio, .usbAudio)
    }
    return AVAudioSessionRouteDescription(
      inputs: rules.records ? [AVAudioSessionPortDescription(input)] : [],
      outputs: rules.plays ? [AVAudioSessionPortDescription(output)] : [])
  }

  public struct Port: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")
    public static let builtInSpeaker = Port(rawValue: "Speaker")
    public static let builtInReceiver = Port(rawValue: "Receiver")
    public static let headphones = Port(rawValue: "Headphones")
    public static let headsetMic = Port(rawValue: "MicrophoneWired")
    public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")
    public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")
    public static let usbAudio = Port(rawValue: "USBAudio")
  }
}

extension AVAudioSession.State {
  /// The rates of the hardware. Which of them a phone chooses for a preferred one is not known.
  private static let rates = [8_000.0, 16_000, 24_000, 32_000, 44_100, 48_000]

  /// Whether other apps stay audible while the session is active.
  fileprivate var mixes: Bool {
    category == .ambient || !options.isDisjoint(with: [.mixWithOthers, .duckOthers])
  }

  /// The options with those that a mode of a chat adds, if the category supports the mode.
  fileprivate var effectiveOptions: AVAudioSession.CategoryOptions {
    switch (category, mode) {
    case (.playAndRecord, .voiceChat), (.record, .videoChat): options.union(.allowBluetooth)
    case (.playAndRecord, .videoChat): options.union([.allowBluetooth, .defaultToSpeaker])
    default: options
    }
  }

  /// The Bluetooth profile for AirPods: hands-free records from them too, A2DP only plays. `nil` if the session does not use
  /// AirPods. A category that records needs an option for each profile.
  fileprivate var bluetooth: AVAudioSession.Port? {
    if effectiveOptions.contains(.allowBluetooth) { return .bluetoothHFP }
    guard AVAudioSession.rules[category]?.records == true else { return .bluetoothA2DP }
    return category == .playAndRecord && options.contains(.allowBluetoothA2DP) ? .bluetoothA2DP : nil
  }

  /// The sample rate of an active session on a route.
  fileprivate func rate(on route: AudioRoute) -> Double {
    // The route `airpods` has the rate of their microphone, and hands-free is the only profile with a microphone.
    if route.text != "airpods" || bluetooth == .bluetoothHFP, let rate = route.sampleRate {
      return Double(rate)
    }
    guard preferredRate > 0 else { return 48_000 }
    return Self.rates.min { abs($0 - preferredRate) < abs($1 - preferredRate) } ?? 48_000
  }
}

public final class AVAudioSessionPortDescription: NSObject, Sendable {
  public let portType: AVAudioSession.Port
  /// The type of the port here.
  public let portName: String
  /// The type of the port here.
  public let uid: String

  init(_ type: AVAudioSession.Port) { (portType, portName, uid) = (type, type.rawValue, type.rawValue) }
}

public final class AVAudioSessionRouteDescription: NSObject, Sendable {
  public let inputs: [AVAudioSessionPortDescription]
  public let outputs: [AVAudioSessionPortDescription]

  init(inputs: [AVAudioSessionPortDescription], outputs: [AVAudioSessionPortDescription]) {
    self.inputs = inputs
    self.outputs = outputs
  }
}

public let AVAudioSessionInterruptionTypeKey: String = "AVAudioSessionInterruptionTypeKey"
public let AVAudioSessionInterruptionOptionKey: String = "AVAudioSessionInterruptionOptionKey"
public let AVAudioSessionRouteChangeReasonKey: String = "AVAudioSessionRouteChangeReasonKey"
public let AVAudioSessionRouteChangePreviousRouteKey: String = "AVAudioSessionRouteChangePreviousRouteKey"
