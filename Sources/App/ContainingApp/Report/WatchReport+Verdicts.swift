import Causes
import CommandLineSupport
import Platform
import RunReports

extension WatchReport.Contents {
  /// The verdicts on a watch.
  func verdicts(failure: ProgramFailure?) -> [Verdict] {
    var exit = Verdict.exit(failure)
    if isRunning { exit.result = .notJudged("the watch is still running") }
    guard let summary else { return [exit] }
    let causes = causes.map(\.cause)
    let lateness = causes.lateness(of: summary.framesOfScreen)
    let received = Verdict(
      "received", "The app receives as many frames as it can.",
      by: causes.filter { [.appBlocked, .appSuspended, .suspended].contains($0.kind) },
      figures: "\(summary.framesPerSecond.text(decimals: 2)) fps, \(summary.missedTicks) of "
        + "\(summary.missedTicks + summary.polls) polls missed",
      unless: summary.framesDelivered == 0
        ? "no frame came"
        : highestRate >= subject.pollsPerSecond ?? .infinity
          ? nil : "the extension never published as many frames as the app could poll", lateness: lateness)
    let others = Verdict.others(causes.filter { ![.appBlocked, .torn].contains($0.kind) }, unless: failure)
    return [whole(summary), order(summary), received, status(causes), audio(summary, causes), others, exit]
      .map {
        $0.lasting(elapsed)
      }
  }

  private func whole(_ summary: AppSummary) -> Verdict {
    let unproven = summary.framesTorn + summary.framesWithoutProof
    let judged = summary.framesVerified + unproven
    let result: Verdict.Result =
      judged == 0
      ? .notJudged("no frame was verified; --verify with the pattern proof verifies them")
      : unproven == 0
        ? .passed("\(judged) verified, 0 torn")
        : .failed("\(unproven) of \(judged) frames not proven intact, \(summary.framesTorn) of them torn.")
    return Verdict(
      "torn", "Every frame is intact.", result,
      meaning: "The remote side sees parts of two frames in one picture."
    )
  }

  private func order(_ summary: AppSummary) -> Verdict {
    let count = summary.framesRepeated
    return Verdict(
      "repeated", "No frame is delivered twice.",
      summary.framesDelivered == 0
        ? .notJudged("no frame came") : count == 0 ? .passed("0 repeated") : .failed("\(count) repeated."),
      meaning: "The remote side sees the picture jump back or freeze.")
  }

  private func status(_ causes: [Cause]) -> Verdict {
    let limit = subject.statusInterval + .milliseconds(100)
    let text =
      "A change of the flag is seen within \(Self.milliseconds(limit)) ms: a poll interval and 100 ms."
    guard let longest = statusDelays.max() else {
      return Verdict("status", text, .notJudged("the flag did not change during the watch"))
    }
    let figures = "at most \(Self.milliseconds(longest)) ms, in \(statusDelays.count) changes"
    // Without a cause it is not known whether the app or the host was late.
    let causes = causes.filter { [.appBlocked, .appSuspended].contains($0.kind) }
    return Verdict(
      "status", text, by: longest > limit ? causes : [], figures: figures,
      unless: longest > limit && causes.isEmpty ? "\(figures); no cause was found" : nil)
  }

  private func audio(_ summary: AppSummary, _ causes: [Cause]) -> Verdict {
    let text = "No audio is lost, and no audio stream stops while the broadcast continues."
    let streams = [("app audio", summary.appAudio), ("microphone", summary.microphone)].compactMap {
      name, state in
      state.flatMap { $0.isJudged ? (name: name, state: $0) : nil }
    }
    guard !streams.isEmpty else {
      return Verdict("audio", text, .notJudged("the broadcast had no audio, or silence"))
    }
    let figures = streams.map {
      let losses = $0.state.losses
      return "\($0.name): \($0.state.framesReceived) frames, \(losses.frames) lost, "
        + "\(losses.packets) packets dropped, \(losses.stops) stops"
    }.joined(separator: "; ")
    let isKept = streams.allSatisfy { $0.state.losses == AudioState.Losses() }
    let stop = causes.first { [.appSuspended, .suspended].contains($0.kind) }
    return Verdict(
      "audio", text,
      isKept ? .passed(figures) : stop.map { .notJudged("\(figures). \($0.text)") } ?? .failed("\(figures)."),
      meaning: "The remote side hears gaps.")
  }

  private static func milliseconds(_ duration: Duration) -> String {
    (duration / .milliseconds(1)).text(decimals: 0)
  }
}
