import CommandLineSupport
import ReplayKit
import ScreenBroadcast

extension DeviceEvent {
  /// One way to type an event: its word, what goes behind a colon, and what it does.
  public struct Form: Sendable {
    /// The event as `--help` shows it: `rotate:NAME`.
    public let usage: String
    /// What it does, as a sentence.
    public let meaning: String
    let word: String
    let expectation: String?
    let read: @Sendable (String) -> DeviceEvent?

    fileprivate init(_ word: String, _ event: DeviceEvent, _ meaning: String) {
      (self.word, usage, self.meaning, expectation) = (word, word, meaning, nil)
      read = { $0.isEmpty ? event : nil }
    }

    fileprivate init<Value>(
      _ word: String, _ placeholder: String, _ value: OptionValue<Value>, _ meaning: String,
      _ make: @escaping @Sendable (Value) -> DeviceEvent
    ) {
      (self.word, usage, self.meaning) = (word, "\(word):\(placeholder)", meaning)
      expectation = value.expectation
      read = { value.read($0).map(make) }
    }
  }

  /// Every event, as it is typed.
  public static let forms: [Form] = [
    Form("pause", .pause, "The person pauses: broadcastPaused, and no samples."),
    Form("resume", .resume, "The person goes on: broadcastResumed."),
    Form(
      "indicator", "ANSWER", OptionValue<IndicatorAnswer>.choice,
      "The person taps the red mark: a pause, and a second later the end (stop) or going on (cancel)."
    ) { .indicator($0) },
    Form("lock", .lock, "The device is locked: a pause until it is unlocked."),
    Form("unlock", .unlock, "The device is unlocked."),
    Form("call", .call, "A phone call comes in: app audio and microphone are silent until it is over."),
    Form("hangup", .hangUp, "The phone call is over."),
    Form("stop", .stop, "The person ends the broadcast: broadcastFinished."),
    Form(
      "error", "NAME", errorName,
      "The extension ends the broadcast with this error of RPRecordingErrorDomain, such as interrupted."
    ) { .error($0) },
    Form(
      "annotate", "ID", .text("the bundle identifier of an app"),
      "The system tells which app is shown: broadcastAnnotated."
    ) { .annotate(bundleIdentifier: $0) },
    Form(
      "rotate", "NAME", orientation, "The device is turned: up, left, down, right and so on."
    ) { .rotate($0) },
    Form(
      "resize", "WxH", .evenSize(in: 16...8192), "The pictures have this size from now on (patterns only)."
    ) { .resize($0) },
    Form(
      "still", "SECONDS", .seconds(in: .milliseconds(1)...CommonOptions.longest),
      "Nothing changes on the screen for so long: no pictures."
    ) { .still($0) },
    Form("rate", "N", .number(in: 1...240), "So many pictures a second from now on, 1 to 240.") { .rate($0) },
    Form("skip", "N", .integer(in: 1...10_000), "So many pictures are not taken, and count as dropped.") {
      .skip($0)
    },
    Form(
      "burst", "N", .integer(in: 2...240),
      "So many pictures come all at once, as late as the last of them; what finds no place is dropped."
    ) {
      .burst($0)
    },
    Form(
      "slow", "SECONDS", .seconds(in: .zero...(.seconds(60))),
      "Every call of the handler takes so much longer from now on, 0 to 60; at 0s from broadcastStarted on."
    ) { .slow($0) },
    Form(
      "allocate", "MiB", .integer(in: 1...65_536),
      "The extension takes so much memory and keeps it, 1 to 65536 MiB. Above --memory-limit it is killed."
    ) { .allocate(mebibytes: $0) },
    Form("crash", .crash, "The extension's process dies without a word: SIGKILL."),
  ]

  /// The event a text names. Throws a sentence that says what is wrong with it.
  public init(text: String) throws(UsageError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let form = Self.forms.first(where: { $0.word == parts.first }) else {
      let near = Spelling.nearest(to: parts.first ?? "", among: Self.forms.map(\.word))
      throw UsageError(
        "There is no event \(text.quoted)"
          + (near.map { "; did you mean '\($0)'?" }
            ?? "; there are \(Self.forms.map(\.usage).joined(separator: ", "))."))
    }
    guard let event = form.read(parts.count == 2 ? parts[1] : "") else {
      throw UsageError(
        form.expectation.map {
          "'\(form.usage)' wants \($0), not \((parts.count == 2 ? parts[1] : "").quoted)."
        }
          ?? "'\(form.usage)' takes nothing behind it, not \(text.quoted).")
    }
    self = event
  }

  /// The event as it is typed.
  public var text: String {
    switch self {
    case .pause: "pause"
    case .resume: "resume"
    case .indicator(let answer): "indicator:\(answer.rawValue)"
    case .lock: "lock"
    case .unlock: "unlock"
    case .call: "call"
    case .hangUp: "hangup"
    case .stop: "stop"
    case .error(let code): "error:\(code)"
    case .annotate(let identifier): "annotate:\(identifier)"
    case .rotate(let orientation): "rotate:\(orientation.name)"
    case .resize(let size): "resize:\(size)"
    case .still(let time): "still:\(time.decimalSeconds)"
    case .rate(let rate): "rate:\(Int(exactly: rate).map(String.init) ?? "\(rate)")"
    case .skip(let count): "skip:\(count)"
    case .burst(let count): "burst:\(count)"
    case .slow(let time): "slow:\(time.decimalSeconds)"
    case .allocate(let mebibytes): "allocate:\(mebibytes)"
    case .crash: "crash"
    }
  }

  private static let orientation = OptionValue<CGImagePropertyOrientation>(
    "one of \(CGImagePropertyOrientation.all.map(\.name).joined(separator: ", "))"
  ) { text in
    CGImagePropertyOrientation.all.first { $0.name == text }
  }

  private static let errorName = OptionValue<RPRecordingErrorCode>(
    "the name of an RPRecordingErrorCode, such as userDeclined, failed, interrupted, systemDormancy, activePhoneCall"
  ) { text in
    RPRecordingErrorCode.allCases.first { "\($0)" == text }
  }
}
