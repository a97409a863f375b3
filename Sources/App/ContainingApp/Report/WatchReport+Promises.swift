import CommandLineSupport
import Platform

extension WatchReport {
  /// What a watch promises, judged.
  func promises(failure: ProgramFailure?) -> [Promise] {
    guard let summary else { return [exit(failure)] }
    return [
      whole(summary), order(summary), rate(summary), polls(summary), freezeFree, status, audio(summary),
      exit(failure),
    ].map { promise in
      var promise = promise
      promise.duration = elapsed
      return promise
    }
  }

  private func whole(_ summary: WatchSummary) -> Promise {
    let judged = summary.framesVerified + summary.framesTorn
    let result: Promise.Result =
      judged == 0
      ? .notJudged("no frame was verified; --verify with the pattern proof verifies them")
      : summary.framesTorn == 0
        ? .kept("\(judged) verified, 0 torn")
        : .broken("\(summary.framesTorn) of \(judged) frames are not proven whole.")
    return Promise(
      "torn", "Every frame is whole.", result, meaning: "The far end sees parts of two frames in one picture."
    )
  }

  private func order(_ summary: WatchSummary) -> Promise {
    Promise(
      "repeated", "No frame comes twice.",
      judge(summary, summary.framesRepeated == 0, "\(summary.framesRepeated) repeated"),
      meaning: "The far end sees the picture jump back or stand.")
  }

  /// The rates are compared in the seconds in which the broadcast was live from start to end.
  private func rate(_ summary: WatchSummary) -> Promise {
    let all = samples.filter { $0.stats.phase == .live }
    let live = all.filter { $0.stats.framesPerSecondIn > 0 }
    let text = "The app receives 99 % of the frames that it can, or more."
    guard live.count >= 3 else {
      let reason =
        all.count >= 3
        ? "the layout does not count the frames that were captured"
        : "the broadcast was live for less than three seconds"
      return Promise("rate", text, .notJudged(reason))
    }
    let limit = subject.pollsPerSecond ?? .infinity
    let possible = live.map { min($0.stats.framesPerSecondIn, limit) }.reduce(0, +)
    let received = live.map { min($0.stats.framesPerSecondOut, limit) }.reduce(0, +)
    let figures =
      "\((received / Double(live.count)).text(decimals: 2)) of "
      + "\((possible / Double(live.count)).text(decimals: 2)) fps"
    return Promise(
      "rate", text, received >= 0.99 * possible ? .kept(figures) : .broken("The app received \(figures)."),
      meaning: "The picture at the far end is not smooth.")
  }

  private func polls(_ summary: WatchSummary) -> Promise {
    let text = "The app misses at most 1 % of its polls."
    guard subject.pollsPerSecond != nil else {
      return Promise("polls", text, .notJudged("frames come without polls here"))
    }
    let isKept = Double(summary.missedTicks) <= 0.01 * Double(summary.polls + summary.missedTicks)
    return Promise(
      "polls", text, judge(summary, isKept, "\(summary.missedTicks) missed, \(summary.polls) made"),
      meaning: "The main thread is blocked, or the machine is busy.")
  }

  private var freezeFree: Promise {
    let own = freezes.freezes - freezes.freezesAtSource
    let figures = "\(own) freezes, and \(freezes.freezesAtSource) in which no frame was captured either"
    let result: Promise.Result =
      samples.isEmpty ? .notJudged("no frame came") : own == 0 ? .kept(figures) : .broken("\(figures).")
    return Promise(
      "freezes", "No picture stays longer than it was captured, by WebRTC's rule for freezes.", result,
      meaning: "The far end counts these freezes in getStats as freezeCount.")
  }

  private var status: Promise {
    let limit = subject.statusInterval + .milliseconds(100)
    let text =
      "A change of the flag is seen within \(Self.milliseconds(limit)) ms: a poll interval and 100 ms."
    guard let longest = statusDelays.max() else {
      return Promise("status", text, .notJudged("the flag did not change during the watch"))
    }
    let figures = "at most \(Self.milliseconds(longest)) ms, in \(statusDelays.count) changes"
    return Promise(
      "status", text, longest <= limit ? .kept(figures) : .broken("It took \(figures)."),
      meaning: "The app starts or ends its call too late.")
  }

  private func audio(_ summary: WatchSummary) -> Promise {
    let text = "No audio is lost."
    let streams = [("app audio", summary.appAudio), ("microphone", summary.microphone)].compactMap {
      name, state in
      state.map { (name: name, state: $0) }
    }
    guard !streams.isEmpty else { return Promise("audio", text, .notJudged("the broadcast had no audio")) }
    let figures = streams.map {
      "\($0.name): \($0.state.framesReceived) frames, \($0.state.framesLost) lost, "
        + "\($0.state.packetsDropped) packets dropped"
    }.joined(separator: "; ")
    let isKept = streams.allSatisfy { $0.state.framesLost == 0 && $0.state.packetsDropped == 0 }
    return Promise(
      "audio", text, isKept ? .kept(figures) : .broken("\(figures)."), meaning: "The far end hears gaps.")
  }

  private func exit(_ failure: ProgramFailure?) -> Promise {
    Promise(
      "exit", "The program ends with 0.",
      failure.map { .broken("\($0.exitCode.rawValue): \($0.message)") } ?? .kept("0"))
  }

  /// The result of a promise about frames, which is not judged without any.
  private func judge(_ summary: WatchSummary, _ isKept: Bool, _ figures: String) -> Promise.Result {
    summary.framesDelivered == 0
      ? .notJudged("no frame came") : isKept ? .kept(figures) : .broken("\(figures).")
  }

  private static func milliseconds(_ duration: Duration) -> String {
    (duration / .milliseconds(1)).text(decimals: 0)
  }
}
