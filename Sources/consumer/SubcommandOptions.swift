import CommandLineSupport
import ContainingApp
import ScreenBroadcast

/// How often `watch`, `start`, `stop` and `status` read the flag, and how long they wait.
struct PaceOptions: OptionGroup {
  /// The time to wait for a result; `nil` for no limit, which only `watch` has.
  var wait: Duration?
  var statusInterval = Duration.milliseconds(500)

  static let options: [Option<Self>] = [
    .value(
      "--wait", "TIME", .seconds(in: .zero...CommonOptions.longest), \.wait,
      help: "How long to wait for the result, 0 to 1000000 seconds; then exit with 69.",
      default: "10 for start and stop, 0 for status, no limit for watch"),
    .value(
      "--status-interval", "TIME", .seconds(in: .milliseconds(10)...(.seconds(60))), \.statusInterval,
      help: "The time between two polls of the status, 0.01 to 60 seconds."),
  ].under("Intervals and time limits")
}

/// How `watch` receives a broadcast. The path of a WAV file is `-` for standard output.
struct WatchOptions: OptionGroup {
  var pollsPerSecond = 30.0
  var wake = false
  var layout = BroadcastLayout.ring
  var wav: String?
  var micWav: String?
  var once = false

  /// The streams of which a file is to be written.
  var expectedAudio: Set<BroadcastAudioStream> {
    Set([wav == nil ? nil : .app, micWav == nil ? nil : .microphone].compactMap { $0 })
  }

  static let options = receiving + writing

  private static let receiving: [Option<Self>] = [
    .value(
      "--poll-fps", "N", .number(in: 1...240), \.pollsPerSecond,
      help: "Polls per second, 1 to 240, decimals allowed."),
    .flag(
      "--wake", \.wake,
      help: "Receive each frame and each change of the status at once instead of at the next poll."),
    .value(
      "--layout", "NAME", .choice, \.layout,
      help: "The layout of the shared frames: ring, or article, the article's single slot without "
        + "synchronisation. The producer must use the same. With article each poll takes the slot's content, "
        + "new or not."),
  ].under(FrameOptions.call)

  private static let writing: [Option<Self>] = [
    .value(
      "--wav", "PATH", .text("a file, or - for standard output"), \.wav,
      help: "Write app audio as a WAV file, with silence in the gaps; with -, to standard output."),
    .value(
      "--mic-wav", "PATH", .text("a file, or - for standard output"), \.micWav,
      help: "Write microphone audio as a WAV file, in the same way."),
  ].under(FrameOptions.outputs)

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

/// What `start` launches, and the extension that `check` examines.
struct StartOptions: OptionGroup {
  /// The program; `nil` for the `producer` beside this program.
  var producer: String?
  /// The bundle identifier of the extension that the app requests from the picker; `nil` for the only one.
  var `extension`: String?
  var extensions: String?
  var microphone = false
  var producerArguments: [String] = []

  static let options: [Option<Self>] = [
    [
      .value(
        "--producer", "PATH", .text("a program"), \.producer, help: "The program to launch.",
        default: "the producer beside this program")
    ].only(with: ["start"]),
    [
      .value(
        "--extension", "ID-OR-PATH", .text("a bundle identifier, or with 'doctor' a path"), \.extension,
        help:
          "The bundle identifier of the extension to launch, as an app requests it from the system's picker. For "
          + "doctor, the path of its Info.plist or of its .appex.",
        default: "the only one in --extensions, or in the .app")
    ].only(with: ["start", "check", "doctor"]),
    [
      .value(
        "--extensions", "DIR", .text("a folder"), \.extensions,
        help:
          "The folder of the installed extensions, bundles 'Name.appex'. One of them is launched instead of "
          + "--producer.",
        default: "$BROADCAST_EXTENSIONS, else none")
    ].only(with: ["start", "check"]),
    [
      .flag(
        "--microphone", \.microphone,
        help:
          "The app shows the picker's microphone button, and the person turns it on: the extension gets --mic "
          + "tone, unless another --mic follows '--'.")
    ].only(with: ["start"]),
  ].flatMap { $0 }.under("The extension (start, check, doctor)")

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    producerArguments = invocation.passthrough
    if producer != nil, `extension` != nil || extensions != nil {
      let name = `extension` == nil ? "--extensions" : "--extension"
      throw UsageError("\(name) and --producer both say what to launch; leave one out.")
    }
    if producer != nil, microphone {
      throw UsageError("--microphone needs the picker, which --producer does not use; leave one out.")
    }
    let shared = CommonOptions.sharing.map(\.declaration.name)
    for argument in producerArguments {
      let name = String(argument.prefix { $0 != "=" })
      guard !shared.contains(name) else {
        throw UsageError("\(name) goes before '--', as consumer passes it to the producer; move it there.")
      }
    }
  }
}

/// What `doctor` repairs, or the files that it compares.
struct DoctorOptions: OptionGroup {
  var fix = false
  /// The path of the app's Info.plist or `.app`; `nil` to examine the container.
  var app: String?
  var appEntitlements: String?
  /// That of the extension; `nil` for the one in the `.app`.
  var `extension`: String?
  var extensionEntitlements: String?

  static let options: [Option<Self>] =
    [
      .flag(
        "--fix", \.fix,
        help:
          "Repair what can be repaired without harm: modes, a flag left on, leftover files. Repairs nothing while "
          + "a producer runs.")
    ].under("Repairs (doctor)")
    + [
      .value(
        "--app", "PATH", .text("an Info.plist, an .app, an .xcarchive or an .ipa"), \.app,
        help:
          "Examine, instead of the container, the configuration of this app and its extension: the path of its "
          + "Info.plist, with --extension, or of a built .app, .xcarchive or .ipa.",
        default: "the container is examined"),
      .value(
        "--app-entitlements", "FILE", .text("a file"), \.appEntitlements,
        help: "The entitlements of the app.", default: "those in the .app or in its signature"),
      .value(
        "--extension-entitlements", "FILE", .text("a file"), \.extensionEntitlements,
        help: "The entitlements of the extension.", default: "those in the .appex or in its signature"),
    ].under("Files of an app (doctor)")

  mutating func finish(_ invocation: Invocation) throws(UsageError) {
    guard app != nil else {
      let files = ["--app-entitlements", "--extension", "--extension-entitlements"]
      if let name = files.first(where: invocation.has) {
        throw UsageError("\(name) goes with --app, which names the app; add --app.")
      }
      return
    }
    let containers = ["--fix"] + CommonOptions.sharing.map(\.declaration.name)
    if let name = containers.first(where: invocation.has) {
      throw UsageError("\(name) is for a container, and --app examines files; leave one out.")
    }
  }
}
