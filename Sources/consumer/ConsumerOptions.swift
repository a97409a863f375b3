import CommandLineSupport
import ContainingApp
import EmulatedSystem
import ScreenBroadcast

/// What the command line of `consumer` asks for.
package struct ConsumerOptions: Equatable {
  /// What to do.
  var verb: ConsumerVerb
  /// The container, the app group, when to end and what to print.
  var common: CommonOptions
  /// How long to wait for what was asked for; `nil` for ever, which only `watch` does. `doctor` waits for nothing.
  var wait: Duration?
  /// The time between two looks at the status.
  var statusInterval: Duration
  /// Looks for a new frame a second, 1 to 240.
  var pollsPerSecond: Double
  /// How frames are waited for; `nil` to look at fixed times.
  var wake: BroadcastFrameSignal.Mode?
  /// Whether frames are held in place instead of copied.
  var lease: Bool
  /// How frames lie between the two programs.
  var layout: BroadcastLayout
  /// The size of the frames that enter the call.
  var outputSize: OutputSize
  /// How the screen gets into that size.
  var fit: PictureFit
  /// Whether every frame is checked against the `proof` pattern.
  var verify: Bool
  /// Where the frames go as YUV4MPEG2, if anywhere.
  var y4m: VideoDestination?
  /// Where app audio goes as WAV, `-` for standard output, if anywhere.
  var wav: String?
  /// Where the microphone goes, in the same way.
  var micWav: String?
  /// The PNG file that gets a frame, if any.
  var snapshot: String?
  /// Whether the picture is drawn in the terminal.
  var preview: Bool
  /// Whether to leave when the first broadcast has ended.
  var once: Bool
  /// Whether the doctor mends what can be mended without harm.
  var fix: Bool
  /// The program `start` launches; `nil` for the `producer` beside this program.
  var producer: String?
  /// The bundle identifier of the extension `start` asks the picker for; `nil` for whichever there is.
  var `extension`: String?
  /// The folder of the installed extensions, as given.
  var extensions: String?
  /// Whether the person turns the microphone on in the picker.
  var microphone: Bool
  /// The screen `capture` captures.
  var screen: ScreenOptions
  /// What happens to the capture.
  var capture: CaptureScript
  /// The file `inspect` looks into; empty for other verbs.
  var inspectedFile: String
  /// The options `start` hands to it, besides the container and the app group.
  var producerArguments: [String]

  /// What a command line, without the program's name, asks for.
  package static func parse(_ arguments: [String]) throws(UsageError) -> Request<ConsumerOptions> {
    try program.request(arguments, makeOptions: ConsumerOptions.init)
  }

  init(_ invocation: Invocation) throws(UsageError) {
    verb = invocation.verb.flatMap(ConsumerVerb.init) ?? .watch
    common = try CommonOptions(invocation)
    wait = try invocation.value(of: Self.wait) ?? verb.defaultWait
    statusInterval = try invocation.value(of: Self.statusInterval) ?? .milliseconds(500)
    pollsPerSecond = try invocation.value(of: Self.pollFPS) ?? 30
    wake = try invocation.value(of: Self.wake)
    lease = invocation.has(Self.lease)
    layout = try invocation.value(of: Self.layout) ?? .ring
    outputSize = try invocation.value(of: Self.outputSize) ?? .fixed(width: 1080, height: 720)
    fit = try invocation.value(of: Self.fit) ?? .crop
    verify = invocation.has(Self.verify)
    y4m = try invocation.value(of: Self.y4m)
    wav = try invocation.value(of: Self.wav)
    micWav = try invocation.value(of: Self.micWav)
    snapshot = try invocation.value(of: Self.snapshot)
    preview = invocation.has(Self.preview)
    once = invocation.has(Self.once)
    fix = invocation.has(Self.fix)
    producer = try invocation.value(of: Self.producer)
    `extension` = try invocation.value(of: Self.extension)
    extensions = try invocation.value(of: Self.extensions)
    microphone = invocation.has(Self.microphone)
    screen = try ScreenOptions(invocation)
    capture = CaptureScript(
      permission: try invocation.value(of: Self.permission) ?? .granted,
      background: try invocation.value(of: Self.background),
      interruption: try invocation.value(of: Self.interrupt),
      secondStart: try invocation.value(of: Self.startAgain))
    inspectedFile = invocation.operand ?? ""
    producerArguments = invocation.passthrough
    if wake != nil, invocation.has(Self.pollFPS) {
      throw UsageError("--wake takes every frame and --poll-fps looks at fixed times; leave one out.")
    }
    if producer != nil, `extension` != nil || extensions != nil {
      let name = `extension` == nil ? Self.extensions.declaration.name : Self.extension.declaration.name
      throw UsageError("\(name) and --producer both say what to launch; leave one out.")
    }
    if producer != nil, microphone {
      throw UsageError("--microphone is the picker's, and --producer goes without one; leave one out.")
    }
    if layout == .article { try checkNothingNeedsTheRing() }
    try checkStandardOutputHasOneUse()
    try checkBothProgramsShareOneGroup()
  }

  /// Whether standard output carries a stream, so that messages go elsewhere.
  var streamsToStandardOutput: Bool { y4m == .standardOutput || wav == "-" || micWav == "-" }

  /// The rate to state for the frames: as many as are looked for, or as many as a call takes.
  var framesPerSecond: Double {
    if verb == .capture { return Double(VideoCall.captureFramesPerSecond) }
    return wake == nil ? pollsPerSecond : Double(VideoCall.framesPerSecond)
  }

  private func checkStandardOutputHasOneUse() throws(UsageError) {
    let uses = [
      common.json ? "--json" : nil, y4m == .standardOutput ? "--y4m -" : nil,
      wav == "-" ? "--wav -" : nil, micWav == "-" ? "--mic-wav -" : nil, preview ? "--preview" : nil,
    ].compactMap { $0 }
    if let wav, wav == micWav, wav != "-" {
      throw UsageError("--wav and --mic-wav both want \(wav.quoted); name another file for one.")
    }
    guard uses.count > 1 else { return }
    throw UsageError("\(uses[0]) and \(uses[1]) both want standard output; leave one out.")
  }

  private func checkNothingNeedsTheRing() throws(UsageError) {
    let needed = [
      wake == nil ? nil : Self.wake.declaration.name, lease ? Self.lease.declaration.name : nil,
    ].compactMap { $0 }
    guard let name = needed.first else { return }
    throw UsageError("\(name) needs the ring, which the layout 'article' has not; leave one out.")
  }

  private func checkBothProgramsShareOneGroup() throws(UsageError) {
    for argument in producerArguments {
      let name = String(argument.prefix { $0 != "=" })
      guard CommonOptions.sharingNames.contains(name) else { continue }
      throw UsageError("\(name) goes before '--', as consumer hands it to the producer; move it there.")
    }
  }
}

extension ConsumerVerb {
  /// How long the verb waits when not told; `nil` for ever.
  var defaultWait: Duration? {
    switch self {
    case .watch, .capture: nil
    case .start, .stop: .seconds(10)
    case .status, .inspect, .doctor: .zero
    }
  }
}
