import CommandLineSupport
import Platform

// The rules. Each derives a cause from the facts that prove it.
extension CauseFinder {
  // MARK: Seconds of the phone

  mutating func judge(_ second: SecondEvent, until time: MonotonicTime) {
    guard start != nil, !hasEnded else { return }
    let from = time.earlier(by: second.seconds)
    if !wasSuspended(from: from, to: time) { judgeDrops(second, from: from, to: time) }
    judgeMemory(second, at: time)
    if var cause = loss, time - cause.from >= Self.reconnectLimit {
      (loss, cause.to) = (nil, time)
      add(cause)
    }
    // The last part of a broadcast is shorter than a second.
    guard second.seconds >= 0.9 else { return }
    // An unchanged screen draws nothing, so a late timer loses no frame then.
    let isLate = Double(second.framesLate) > 0.9 * framesPerSecond * second.seconds
    guard second.framesDelivered == 0, second.framesDropped == second.framesLate, !isLate, !isPaused,
      !second.isPaused
    else { return end(.idleScreen) }
    let isFirst = stretches[.idleScreen] == nil
    var rest = extend(.idleScreen, from: from)
    if !isFirst, let bytes = second.sentBytes { rest.sentBytes = (rest.sentBytes ?? 0) + bytes }
    stretches[.idleScreen] = rest
    let length = (time - rest.from) / .seconds(1)
    let text = "The screen has not changed for \(length.text(decimals: 0)) s"
    var cause = Cause(.idleScreen, from: rest.from, to: time, "The screen does not change.")
    if cause.isLongRest {
      // For the first second it is unknown which bytes were sent after the last frame.
      let rate = rest.sentBytes.map { (Double($0) / 1000 / (length - 1)).text(decimals: 1) }
      if rest.sentBytes == 0 { cause.severity = .warning }
      cause.sentence =
        switch rest.sentBytes {
        case nil:
          "\(text): a handler that sends nothing in that time leaves the remote side without a picture."
        case 0?:
          "\(text), and the handler sends nothing over TCP or a Unix socket: the remote side may be without a picture."
        default: "\(text), and the handler sends \(rate ?? "") kB a second in the meantime."
        }
    }
    add(cause, lasts: true)
  }

  /// The time that a handler has to connect again.
  private static let reconnectLimit = Duration.seconds(8)

  private mutating func judgeDrops(_ second: SecondEvent, from: MonotonicTime, to time: MonotonicTime) {
    let interval = 1000 / framesPerSecond
    let frames = second.framesDelivered > 0 ? Double(second.framesDelivered) : 1
    let own = second.handlerMs / frames
    // Five frames can wait, so a single call drops no frame before it has taken six intervals. It may also wait for a thread.
    let isLong = second.handlerMsMax > 6 * interval + second.machineMs + second.screenMs
    let before = stretches[.slow]
    let isMean = own > interval || before?.isMean == true
    let worst = own > interval ? own : isLong && !isMean ? second.handlerMsMax : 0
    let waiting = (behind?.frames ?? 0) + second.framesBehind
    // Host load of this length explains about as many frames.
    let isHandlerLate = second.machineMs > interval * max(1, Double(waiting) / 2)
    // In the second in which the handler recovers, some frames are still behind it.
    let isProven = own > interval || isLong
    let isExplained = Double(waiting) * interval < second.handlerMs && !isHandlerLate
    let isSlow = waiting > 0 && (isProven || isExplained && before?.recovers == false)
    // The cause of frames that are behind a call is known only when the call has returned.
    let isOpen = !isSlow && !isHandlerLate && (second.framesBehind > 0 || second.framesDelivered == 0)
    if isSlow {
      let slow = extend(.slow, from: behind?.from ?? from, by: waiting, worst: worst, isMean: isMean)
      behind = nil
      stretches[.slow]?.recovers = !isProven
      let what = isMean ? "The handler" : "A call of the handler"
      add(
        Cause(
          .slow, from: slow.from, to: time,
          "\(what) itself took \(slow.worst.text(decimals: 0)) ms\(isMean ? " a frame" : ""): "
            + "\(Self.frames(slow.frames)) dropped."), lasts: true)
    } else if !isOpen || second.framesDelivered > 0 || waiting == 0 {
      end(.slow)
    }
    let ended = isSlow || isOpen ? 0 : waiting
    behind = isOpen && waiting > 0 ? (behind?.from ?? from, waiting) : nil
    let isScreenLate = second.screenMs > interval * Double(second.framesLate) / 2
    let late = (isHandlerLate ? ended : 0) + (isScreenLate ? second.framesLate : 0)
    note(.late, "frames", late, from: from, to: time) {
      "The host was overloaded: \($0) dropped; the handler is not the cause."
    }
    note(.screenBlocked, "", isScreenLate ? 0 : second.framesLate, from: from, to: time) {
      "\($0) not drawn: the main thread of the extension was busy, and the emulated screen waits for that thread."
    }
    noteAtOnce(second.framesLeftOut + (isHandlerLate ? 0 : ended), from: from, to: time)
    if second.framesHeld > 0 {
      let stretch = extend(.misuse, from: from, by: second.framesHeld)
      guard let kept = found.last(where: { $0.kind == .misuse && $0.detail == "kept" }) else { return }
      var cause = kept
      cause.to = time
      cause.evidence = kept.evidence.prefix(1) + ["\(Self.frames(stretch.frames)) had no buffer."]
      add(cause)
    }
  }

  private mutating func noteAtOnce(_ count: UInt64, from: MonotonicTime, to time: MonotonicTime) {
    note(.requested, "", count, from: from, to: time) {
      "\($0) skipped: an event requested it, or its burst did not fit the queue."
    }
  }

  /// Adds a second to a cause that explains lost frames, or ends it.
  private mutating func note(
    _ kind: Cause.Kind, _ detail: String, _ count: UInt64, from: MonotonicTime, to time: MonotonicTime,
    _ text: (String) -> String
  ) {
    guard count > 0 else { return end(kind) }
    let stretch = extend(kind, from: from, by: count)
    add(Cause(kind, detail, from: stretch.from, to: time, text(Self.frames(stretch.frames))), lasts: true)
  }

  private static func frames(_ count: UInt64) -> String {
    count == 1 ? "1 frame was" : "\(count) frames were"
  }

  private mutating func judgeMemory(_ second: SecondEvent, at time: MonotonicTime) {
    guard let bytes = second.footprintBytes else { return }
    growth.add(bytes, at: time)
    guard let leak = growth.leak else { return }
    let limit = second.limitBytes.flatMap { limit -> String? in
      guard limit > bytes, leak.bytesPerSecond > 0 else { return nil }
      let rest = Double(limit - bytes) / leak.bytesPerSecond
      return "; \(Double(limit).mebibytesText) will be reached in \(rest.text(decimals: 0)) s"
    }
    add(
      Cause(
        .leak, from: leak.from, to: time,
        "The extension's memory grew from \(Double(leak.first).mebibytesText) to \(Double(bytes).mebibytesText), "
          + "\(leak.bytesPerSecond.mebibytesText) a second\(limit ?? "")."))
  }

  // MARK: Connections

  mutating func judge(_ socket: SocketEvent, at time: MonotonicTime) {
    switch (socket.what, socket.cause) {
    case (.closed, "handler"?), (.closed, nil): break
    case (.closed, let how?):
      let text = "and did not connect again for \(Self.reconnectLimit.decimalSeconds) s."
      // The remote side may have received everything it wanted. An event requested later is not the reason.
      var cause = Cause(
        .network, how, how == "peer" ? .warning : .fault, from: time,
        "The handler lost its connection (\(how)) \(text)")
      cause.request = request(for: cause)
      loss = cause
    default: loss = nil
    }
  }

  // MARK: Ends

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

  static func sentence(_ text: String) -> String {
    let line = text.onOneLine
    return line.hasSuffix(".") ? line : line + "."
  }

  // MARK: The app

  mutating func judge(_ second: AppFact, until time: MonotonicTime) {
    let from = time.earlier(by: second.seconds)
    // The time in which the app did not run already has that cause.
    let hasCause = found.contains { cause in
      [.appSuspended, .starved, .appBlocked].contains(cause.kind) && stretches[cause.kind] == nil
        && cause.to.map { from <= $0 && cause.from <= time } == true
    }
    note(.torn, "", second.framesTorn, from: from, to: time) {
      "\($0) torn: they have bytes of more than one frame."
    }
    guard second.isShort, !hasCause else {
      end(.appBlocked)
      end(.starved)
      return
    }
    // The wait of the timer's thread is not counted.
    let isStarved = second.machineMs > 100 * second.seconds
    let kind = isStarved ? Cause.Kind.starved : .appBlocked
    end(isStarved ? .appBlocked : .starved)
    let missing = UInt64(max(0, (second.possible - second.framesPerSecond) * second.seconds))
    let stretch = extend(kind, from: from, by: missing, worst: second.framesPerSecond)
    let rate =
      "The app received \(second.framesPerSecond.text(decimals: 1)) of \(second.possible.text(decimals: 1)) frames a second"
    add(
      Cause(
        kind, from: stretch.from, to: time,
        isStarved
          ? "\(rate): its main thread waited \((second.machineMs / second.seconds / 10).text(decimals: 0)) % of the time for a CPU."
          : "\(rate): its main thread was blocked."), lasts: true)
  }

  mutating func judge(_ stop: AppStopFact, until time: MonotonicTime) {
    let seconds = stop.seconds.text(decimals: 1)
    let from = time.earlier(by: stop.seconds)
    let skipped = "and skipped the frames of that time"
    add(
      stop.wasStopped
        ? Cause(.appSuspended, from: from, to: time, "The app was suspended for \(seconds) s \(skipped).")
        : stop.machineMs > 500 * stop.seconds
          ? Cause(
            .starved, from: from, to: time, "The app was starved of CPU for \(seconds) s \(skipped).")
          : Cause(
            .appBlocked, from: from, to: time,
            "The app's main thread was blocked for \(seconds) s \(skipped)."))
  }
}

extension MonotonicTime {
  func earlier(by seconds: Double) -> MonotonicTime { advanced(by: .seconds(-seconds)) }
}
