import CommandLineSupport
import EmulatedSystem
import ScreenBroadcast

/// What the command line of `producer`, or of another extension's program, asks for.
package struct ProducerOptions: Equatable {
  /// The event that the verb `control` asks for; `nil` to broadcast.
  var control: DeviceEvent?
  /// The container, the app group, when to end and what to print.
  var common: CommonOptions
  /// The emulated screen.
  var screen: ScreenOptions
  /// What the apps sound like.
  var appAudio: SoundSource
  /// What the microphone hears.
  var microphone: SoundSource
  /// Frames of a packet of app audio.
  var framesPerAudioPacket: Int
  /// Slots of the frame ring, 2 to 8.
  var slots: Int
  /// How frames lie between the two programs.
  var layout: BroadcastLayout
  /// The memory above which the extension is killed, in bytes; `nil` for none.
  var memoryLimit: UInt64?
  /// Whether to report the memory used against the limit.
  var memoryReport: Bool
  /// The path of the extension's Info.plist, if one is to be honoured.
  var infoPlist: String?

  /// What the extension's setup screen gave.
  var setupInfo: [String: String]
  /// What happens meanwhile.
  var schedule: [ScheduledEvent]

  /// What a command line, without the program's name, asks for.
  package static func parse(_ arguments: [String]) throws(UsageError) -> Request<ProducerOptions> {
    try parse(arguments, program: program)
  }

  /// The same, of the program under another name.
  static func parse(
    _ arguments: [String], program: Program
  ) throws(UsageError) -> Request<ProducerOptions> {
    try program.request(arguments, makeOptions: ProducerOptions.init)
  }

  init(_ invocation: Invocation) throws(UsageError) {
    common = try CommonOptions(invocation)
    screen = try ScreenOptions(invocation)
    appAudio = try invocation.value(of: Self.appAudio) ?? .off
    microphone = try invocation.value(of: Self.microphone) ?? .off
    framesPerAudioPacket =
      try invocation.value(of: Self.audioPacket) ?? EmulatedAudio.defaultFramesPerPacket
    slots = try invocation.value(of: Self.slots) ?? 3
    layout = try invocation.value(of: Self.layout) ?? .ring
    memoryLimit = try invocation.value(of: Self.memoryLimit) ?? MemoryUse.budget
    memoryReport = invocation.has(Self.memoryReport)
    infoPlist = try invocation.value(of: Self.infoPlist)
    setupInfo = Dictionary(
      try invocation.values(of: Self.setupInfo).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    schedule = try invocation.values(of: Self.at)
    control = if let operand = invocation.operand { try DeviceEvent(text: operand) } else { nil }
    if appAudio == .off, invocation.has(Self.audioPacket) {
      throw UsageError(
        "--audio-packet is for app audio, and there is none; add --app-audio, or leave it out.")
    }
    if layout == .article, invocation.has(Self.slots) {
      throw UsageError("--slots is for the ring, and the layout 'article' has one slot; leave one out.")
    }
  }
}
