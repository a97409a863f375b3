import CommandLineSupport
import Platform

// The causes of dropped frames: a slow handler, an overloaded host, a blocked screen, a request, held buffers.
extension CauseFinder {
  mutating func judgeDrops(_ second: SecondEvent, from: MonotonicTime, to time: MonotonicTime) {
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

  mutating func noteAtOnce(_ count: UInt64, from: MonotonicTime, to time: MonotonicTime) {
    note(.requested, "", count, from: from, to: time) {
      "\($0) skipped: an event requested it, or its burst did not fit the queue."
    }
  }
}
