import CommandLineSupport
import ReplayKit
import ScreenBroadcast

extension DeviceEvent {
  /// The text form of an event: its word, and a value after a colon.
  package struct Form: Sendable {
    /// The form as `--help` shows it: `rotate:NAME`.
    package let usage: String
    /// What the event does, as a sentence.
    package let meaning: String
    fileprivate let word: String
    /// The expected value, to follow "expects"; `nil` for an event without a value.
    fileprivate let expectation: String?
    fileprivate let read: @Sendable (String) -> DeviceEvent?
    /// The text of an event of this form; `nil` for other events.
    fileprivate let text: @Sendable (DeviceEvent) -> String?

    /// The form of an event without a value.
    fileprivate init(_ word: String, _ event: DeviceEvent, _ meaning: String) {
      (self.word, usage, self.meaning, expectation) = (word, word, meaning, nil)
      read = { $0.isEmpty ? event : nil }
      text = { $0 == event ? word : nil }
    }

    /// The form of an event with a value, which `write` takes from the event.
    fileprivate init<Value>(
      _ word: String, _ placeholder: String, _ value: OptionValue<Value>, _ meaning: String,
      _ make: @escaping @Sendable (Value) -> DeviceEvent, write: @escaping @Sendable (DeviceEvent) -> String?
    ) {
      (self.word, usage, self.meaning) = (word, "\(word):\(placeholder)", meaning)
      expectation = value.expectation
      read = { value.read($0).map(make) }
      text = { event in write(event).map { "\(word):\($0)" } }
    }
  }

  /// The forms of all events, in the order of `--help`.
  package static let forms: [Form] = [
    Form("pause", .pause, "The person pauses: broadcastPaused, and no samples."),
    Form("resume", .resume, "The person resumes: broadcastResumed."),
    Form(
      "indicator", "ANSWER", .choice,
      "The person taps the recording indicator: a pause, and a second later the end (stop) or a resume (cancel).",
      { .indicator($0) }
    ) { if case .indicator(let answer) = $0 { answer.rawValue } else { nil } },
    Form("lock", .lock, "The device is locked: a pause until it is unlocked."),
    Form("unlock", .unlock, "The device is unlocked."),
    Form("call", .call, "A phone call begins: app audio and microphone are silent until it ends."),
    Form("hangup", .hangUp, "The phone call ends."),
    Form("stop", .stop, "The person ends the broadcast: broadcastFinished."),
    Form(
      "error", "NAME", errorName,
      "The extension ends the broadcast with this error of RPRecordingErrorDomain, such as interrupted.",
      { .error($0) }
    ) { if case .error(let code) = $0 { "\(code)" } else { nil } },
    Form(
      "annotate", "ID", .text("the bundle identifier of an app"),
      "The system reports which app the screen shows: broadcastAnnotated.",
      { .annotate(bundleIdentifier: $0) }
    ) { if case .annotate(let identifier) = $0 { identifier } else { nil } },
    Form(
      "rotate", "NAME", orientation, "The device turns to this orientation: up, left, down, right and so on.",
      { .rotate($0) }
    ) { if case .rotate(let orientation) = $0 { orientation.name } else { nil } },
    Form(
      "resize", "WxH", .evenSize(in: 16...8192), "The frames have this size from now on (patterns only).",
      { .resize($0) }
    ) { if case .resize(let size) = $0 { "\(size)" } else { nil } },
    Form(
      "still", "SECONDS", .seconds(in: .milliseconds(1)...CommonOptions.longest),
      "The screen does not change for this time: no frames.", { .still($0) }
    ) { if case .still(let time) = $0 { time.decimalSeconds } else { nil } },
    Form(
      "rate", "N", .number(in: 1...240), "The frame rate from now on, 1 to 240 frames per second.",
      { .rate($0) }
    ) { if case .rate(let rate) = $0 { Int(exactly: rate).map { "\($0)" } ?? "\(rate)" } else { nil } },
    Form(
      "skip", "N", .integer(in: 1...10_000), "The next N frames are not taken, and count as dropped.",
      { .skip($0) }
    ) { if case .skip(let count) = $0 { "\(count)" } else { nil } },
    Form(
      "burst", "N", .integer(in: 2...240),
      "The next N frames arrive together when the last is due; frames that do not fit the queue are dropped.",
      { .burst($0) }
    ) { if case .burst(let count) = $0 { "\(count)" } else { nil } },
    Form(
      "slow", "SECONDS", .seconds(in: .zero...(.seconds(60))),
      "Every call of the handler takes this much longer from now on, 0 to 60; at 0s from broadcastStarted on.",
      { .slow($0) }
    ) { if case .slow(let time) = $0 { time.decimalSeconds } else { nil } },
    Form(
      "allocate", "MiB", .integer(in: 1...65_536),
      "The extension allocates this much memory and keeps it, 1 to 65536 MiB. Above --memory-limit it is killed.",
      { .allocate(mebibytes: $0) }
    ) { if case .allocate(let mebibytes) = $0 { "\(mebibytes)" } else { nil } },
    Form("crash", .crash, "The extension's process crashes without a callback: SIGKILL."),
  ]

  /// Parses an event. The error says what is wrong and what is expected.
  package init(text: String) throws(UsageError) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let (word, value) = (parts.first ?? "", parts.count == 2 ? parts[1] : "")
    guard let form = Self.forms.first(where: { $0.word == word }) else {
      let near = Spelling.nearest(to: word, among: Self.forms.map(\.word))
      throw UsageError(
        "There is no event \(text.quoted)"
          + (near.map { "; did you mean '\($0)'?" }
            ?? "; there are \(Self.forms.map(\.usage).joined(separator: ", "))."))
    }
    guard let event = form.read(value) else {
      throw UsageError(
        form.expectation.map { "'\(form.usage)' expects \($0), not \(value.quoted)." }
          ?? "'\(form.usage)' takes no value, not \(text.quoted).")
    }
    self = event
  }

  /// The event as it is typed.
  package var text: String {
    for form in Self.forms {
      if let text = form.text(self) { return text }
    }
    preconditionFailure("the event \(self) has no form")
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
