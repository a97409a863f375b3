import CommandLineSupport

/// What the person does with the broadcast picker, or what the system does after the choice. The app learns none of it.
package enum PickerAnswer: Equatable, Sendable {
  case choose
  /// The person chooses after this time.
  case late(Duration)
  case dismiss
  /// The person chooses the extension of another app.
  case other
  /// The person chooses, and the system cannot launch the extension.
  case fails

  /// Waits until the system launches the extension. Throws after `limit`, the time that the app waits for its broadcast,
  /// if it never does.
  package func reach(within limit: Duration) async throws(ProgramFailure) {
    let reason: String
    switch self {
    case .choose: return
    case .late(let delay): return await Self.pass(delay)
    case .dismiss: reason = "the person dismissed the picker"
    case .other: reason = "the person chose the extension of another app"
    case .fails:
      reason =
        "the extension could not be launched; the dialog on a device says 'Attempted to start an invalid broadcast "
        + "session' (RPRecordingErrorDomain, code -5808)"
    }
    await Self.pass(limit)
    throw ProgramFailure(
      .nothingCame,
      "No broadcast began within \(limit.decimalSeconds) s, and the app was not notified: \(reason).")
  }

  /// How long the broadcast may take to begin after ``reach(within:)``: as long as the app waits, or at least a minute if
  /// the app has stopped waiting before.
  package func startLimit(within limit: Duration) -> Duration {
    delay(above: limit) == nil ? limit : max(limit, .seconds(60))
  }

  /// The time after which the person answers, if it is longer than the app waits.
  private func delay(above limit: Duration) -> Duration? {
    if case .late(let delay) = self, delay > limit { delay } else { nil }
  }

  /// Throws if the person answered after the time that the app waits; the broadcast runs.
  package func checkTime(within limit: Duration) throws(ProgramFailure) {
    guard let delay = delay(above: limit) else { return }
    throw ProgramFailure(
      .nothingCame,
      "The broadcast began \(delay.decimalSeconds) s after the tap, and the app waited \(limit.decimalSeconds) s; it "
        + "runs. Wait longer, or follow the status at all times.")
  }

  private static func pass(_ time: Duration) async {
    // Only a task that is cancelled throws, which this one is not.
    try? await Task.sleep(for: time)
  }
}

extension OptionValue where Value == PickerAnswer {
  private static let words: [(String, PickerAnswer)] = [
    ("choose", .choose), ("dismiss", .dismiss), ("other", .other), ("fails", .fails),
  ]

  /// An answer as it is typed.
  package static let pickerAnswer = Self(
    "choose, late:SECONDS (0 to 600), dismiss, other or fails",
    text: { answer in
      if case .late(let time) = answer { return "late:\(time.decimalSeconds)" }
      return words.first { $0.1 == answer }?.0 ?? ""
    }
  ) { text in
    guard text.hasPrefix("late:") else { return words.first { $0.0 == text }?.1 }
    return OptionValue<Duration>.seconds(in: .zero...(.seconds(600))).read(String(text.dropFirst(5)))
      .map { .late($0) }
  }
}
