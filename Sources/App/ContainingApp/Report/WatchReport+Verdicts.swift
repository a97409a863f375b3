import CommandLineSupport
import Platform
import RunReports

extension WatchReport.Contents {
  /// The verdicts on a watch.
  func verdicts(failure: ProgramFailure?) -> [Verdict] {
    guard let summary else { return [exit(failure)] }
    return [
      whole(summary), order(summary), rate(summary), polls(summary), freezeFree, status, audio(summary),
      exit(failure),
    ].map { verdict in
      var verdict = verdict
      verdict.duration = elapsed
      return verdict
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
        : .failed("\(unproven) of \(judged) frames are not proven whole, \(summary.framesTorn) of them torn.")
    return Verdict(
      "torn", "Every frame is whole.", result, meaning: "The far end sees parts of two frames in one picture."
    )
  }

  private func order(_ summary: AppSummary) -> Verdict {
    Verdict(
      "repeated", "No frame comes twice.",
      judge(summary, summary.framesRepeated == 0, "\(summary.framesRepeated) repeated"),
      meaning: "The far end sees the picture jump back or stand.")
  }

  /// The rates are compared in the seconds in which the broadcast was live from start to end.
  private func rate(_ summary: AppSummary) -> Verdict {
    let all = samples.filter { $0.stats.phase == .live }
    let live = all.indices.dropFirst(2).filter {
      WatchStats.areSteady(all[($0 - 2)...$0].map(\.stats.framesPerSecondIn), within: 0.015)
    }.map { all[$0] }
    let text = "The app receives 99 % of the frames that it can, or more."
    guard !live.isEmpty else {
      let reason =
        all.count < 3
        ? "the broadcast was live for less than three seconds"
        : all.contains { $0.stats.framesPerSecondIn > 0 }
          ? "the screen did not keep one rate for three seconds"
          : "the layout does not count the frames that were captured"
      return Verdict("rate", text, .notJudged(reason))
    }
    let limit = subject.pollsPerSecond ?? .infinity
    let possible = live.map { min($0.stats.framesPerSecondIn, limit) }.reduce(0, +)
    let received = live.map { min($0.stats.framesPerSecondOut, limit) }.reduce(0, +)
    let figures =
      "\((received / Double(live.count)).text(decimals: 2)) of "
      + "\((possible / Double(live.count)).text(decimals: 2)) fps"
    return Verdict(
      "rate", text, received >= 0.99 * possible ? .passed(figures) : .failed("The app received \(figures)."),
      meaning: "The picture at the far end is not smooth.")
  }

  private func polls(_ summary: AppSummary) -> Verdict {
    let text = "The app misses at most 1 % of its polls."
    guard subject.pollsPerSecond != nil else {
      return Verdict("polls", text, .notJudged("frames come without polls here"))
    }
    let isKept = Double(summary.missedTicks) <= 0.01 * Double(summary.polls + summary.missedTicks)
    return Verdict(
      "polls", text, judge(summary, isKept, "\(summary.missedTicks) missed, \(summary.polls) made"),
      meaning: "The main thread is blocked, or the machine is busy.")
  }

  private var freezeFree: Verdict {
    let own = freezes.freezes - freezes.freezesAtSource
    let figures = "\(own) freezes, and \(freezes.freezesAtSource) in which no frame was captured either"
    let result: Verdict.Result =
      samples.isEmpty ? .notJudged("no frame came") : own == 0 ? .passed(figures) : .failed("\(figures).")
    return Verdict(
      "freezes", "No picture stays longer than it was captured, by WebRTC's rule for freezes.", result,
      meaning: "The far end counts these freezes in getStats as freezeCount.")
  }

  private var status: Verdict {
    let limit = subject.statusInterval + .milliseconds(100)
    let text =
      "A change of the flag is seen within \(Self.milliseconds(limit)) ms: a poll interval and 100 ms."
    guard let longest = statusDelays.max() else {
      return Verdict("status", text, .notJudged("the flag did not change during the watch"))
    }
    let figures = "at most \(Self.milliseconds(longest)) ms, in \(statusDelays.count) changes"
    return Verdict(
      "status", text, longest <= limit ? .passed(figures) : .failed("It took \(figures)."),
      meaning: "The app starts or ends its call too late.")
  }

  private func audio(_ summary: AppSummary) -> Verdict {
    let text = "No audio is lost, and no stream of it stops while the broadcast goes on."
    let streams = [("app audio", summary.appAudio), ("microphone", summary.microphone)].compactMap {
      name, state in
      state.flatMap { $0.hasSound ? (name: name, state: $0) : nil }
    }
    guard !streams.isEmpty else { return Verdict("audio", text, .notJudged("the broadcast had no sound")) }
    let figures = streams.map {
      let losses = $0.state.losses
      return "\($0.name): \($0.state.framesReceived) frames, \(losses.frames) lost, "
        + "\(losses.packets) packets dropped, \(losses.stops) stops"
    }.joined(separator: "; ")
    let isKept = streams.allSatisfy { $0.state.losses == AudioState.Losses() }
    return Verdict(
      "audio", text, isKept ? .passed(figures) : .failed("\(figures)."), meaning: "The far end hears gaps.")
  }

  private func exit(_ failure: ProgramFailure?) -> Verdict {
    let result: Verdict.Result =
      isRunning
      ? .notJudged("the watch goes on")
      : failure.map { .failed("\($0.exitCode.rawValue): \($0.message)") } ?? .passed("0")
    return Verdict("exit", "The program ends with 0.", result)
  }

  /// The result of a check of frames, which is not judged without any.
  private func judge(_ summary: AppSummary, _ isKept: Bool, _ figures: String) -> Verdict.Result {
    summary.framesDelivered == 0
      ? .notJudged("no frame came") : isKept ? .passed(figures) : .failed("\(figures).")
  }

  private static func milliseconds(_ duration: Duration) -> String {
    (duration / .milliseconds(1)).text(decimals: 0)
  }
}
