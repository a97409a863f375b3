import CommandLineSupport
import Platform

// The causes of an end: an error of the handler, a crash, a kill for memory, work after the end, held samples.
extension CauseFinder {
  mutating func judge(_ end: BroadcastEnd, at time: MonotonicTime) {
    if let behind { noteAtOnce(behind.frames, from: behind.from, to: time) }
    (behind, loss, hasEnded, hasEndedAbnormally) = (nil, nil, true, end.isAbnormal)
    endAll()
    if end.reason == "extensionError" {
      let error = "\(end.errorDomain ?? ""), code \(end.errorCode ?? 0): \(end.errorDescription ?? "")"
      let dialog = end.dialog.map { ["A phone shows: \"\($0)\""] } ?? []
      let detail = "\(end.errorDomain ?? "") \(end.errorCode ?? 0)"
      if let start {
        let seconds = ((time - start) / .seconds(1)).text(decimals: 1)
        add(
          Cause(
            .ended, detail, from: time, evidence: dialog,
            Self.sentence("The handler ended the broadcast after \(seconds) s with an error: \(error)")))
      } else {
        add(
          Cause(
            .refused, detail, from: time, evidence: dialog,
            Self.sentence("The handler refused its start: \(error)")))
      }
    }
    if end.reason == "sourceError" {
      add(Cause(.sourceFailed, from: time, "The broadcast ended because its source failed."))
    }
    // A call of this broadcast that was seen to be blocked explains more.
    if end.isAbnormal, let text = end.errorDescription,
      end.reason == "exited" || !found.contains(where: { $0.kind == .hung && $0.to ?? $0.from >= launch })
    {
      let dialog = end.dialog.map { ["A phone shows: \"\($0)\""] } ?? []
      add(Cause(end.reason == "hung" ? .hung : .crashed, end.reason, from: time, evidence: dialog, text))
    }
    if let work = end.workSeconds {
      add(
        Cause(
          .workAfterEnd, from: time.earlier(by: work), to: time,
          "The extension still worked \(work.text(decimals: 2)) s after the handler had returned from its last call, when iOS "
            + "may end the process: wait in broadcastFinished for work that must not be lost."))
    }
    if case let count = end.samplesHeld, count > 0, let start {
      add(
        Cause(
          .samplesHeld, from: start, to: time,
          "The handler held \(count) \(count == 1 ? "sample" : "samples") after processSampleBuffer had returned, for "
            + "\((end.samplesHeldSeconds ?? 0).text(decimals: 2)) s at most; Apple's documentation says to keep no reference: "
            + "copy what is needed before the return."))
    }
    start = nil
  }

  mutating func judge(_ exit: ExitFact, at time: MonotonicTime) {
    defer { (hasEnded, start) = (true, nil) }
    endAll()
    // The last event of the process has the cause.
    if hasEndedAbnormally { return }
    if let kill = exit.kill {
      let heap = "heap \(Double(kill.heapBytes).mebibytesText)"
      let grown = found.last { $0.kind == .leak && $0.to.map { time - $0 < .seconds(3) } == true }
      let after = start.map { " after \(((time - $0) / .seconds(1)).text(decimals: 1)) s" } ?? ""
      add(
        Cause(
          .killed, from: time,
          evidence: ["Pixel buffers \(Double(kill.pixelBufferBytes).mebibytesText), \(heap)\(screen)."]
            + (grown.map { [$0.sentence] } ?? []),
          "\(exit.name) was killed for its memory\(after): \(Double(kill.footprintBytes).mebibytesText) of "
            + "\(Double(kill.limitBytes).mebibytesText)."))
      return
    }
    guard !exit.isAsked, !hasEnded || exit.isBySignal else { return }
    let last = exit.lastError.map { ": \($0)" } ?? ""
    add(Cause(.crashed, exit.how, from: time, Self.sentence("\(exit.name) \(exit.how)\(last)")))
  }
}
