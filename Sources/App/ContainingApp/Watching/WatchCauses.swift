import Causes
import CommandLineSupport
import Foundation
import PhoneLink
import Platform
import ScreenBroadcast

/// Finds the causes of a watch's symptoms, and shows them after the messages that it forwards.
///
/// It combines the app's observations with the facts that the phone writes into the container. A cause is shown when it is
/// found, each time it has become twice as long, and at the end.
@MainActor
final class WatchCauses: WatchView {
  private let view: any WatchView
  private let pollsPerSecond: Double
  private let clock: any MonotonicClock
  private let start: MonotonicTime
  private var finder = CauseFinder()
  private var follower: FactsFile.Follower?
  private var isFirst = true
  /// The facts read before the end of the file was reached for the first time.
  private var early: [Fact] = []
  /// The length of each cause when it was last shown, and whether it was ongoing.
  private var shown: [String: (length: Duration, isOpen: Bool)] = [:]
  private let control: String?
  /// Whether a broadcast has begun, and is not known to have ended.
  private var isBroadcasting = false
  /// The launch of the newest broadcast.
  private var launch: LaunchFact?
  /// The process whose handler has not returned from `broadcastStarted`.
  private var launching: Int32?
  private var kill: MemoryKill?
  /// The process that has ended its broadcast itself, or whose crash was shown. A flag that it left on is not another crash.
  private var endedProcess: Int32?
  /// The newest requested event, until it is shown: the phone may still refuse it.
  private var asked: (event: RequestEvent, time: MonotonicTime)?
  /// The newest event that was requested from the phone.
  private var newestRequest: (text: String, time: MonotonicTime)?
  /// The frames of the newest broadcast that were dropped before the handler.
  private(set) var framesMissed: UInt64 = 0
  /// The newest second of the running broadcast.
  private var second: SecondEvent?
  private var last: (time: MonotonicTime, torn: UInt64, delay: Duration)?
  /// The rates at which frames arrived, for the last three seconds.
  private var rates: [Double] = []
  /// Whether the app did not run for some of the time since the last rates.
  private var wasInterrupted = false

  /// - Parameters:
  ///   - container: the container with the phone's facts; `nil` for an app that captures its own screen.
  ///   - control: the command that requests an event from the phone in a terminal, without the event; `nil` if no other
  ///     process can request events.
  init(
    _ view: any WatchView, container: AppGroupContainer?, control: String?, pollsPerSecond: Double,
    clock: any MonotonicClock
  ) {
    self.view = view
    self.pollsPerSecond = pollsPerSecond
    self.clock = clock
    self.control = control
    (start, follower) = (clock.now, container.map { FactsFile.Follower(in: $0) })
  }

  var failure: ProgramFailure? { view.failure }

  func show(_ message: WatchMessage) {
    if case .summary = message {
      followPhone(untilNow: true)
      for cause in finder.causes { show(cause, isLast: true) }
    }
    if case .stats(var stats) = message {
      (stats.footprintBytes, stats.limitBytes) = (second?.footprintBytes, second?.limitBytes)
      if isBroadcasting { stats.framesPerSecondAsked = finder.framesPerSecond }
      stats.framesPerSecondDropped = second.map { Double($0.framesDropped) / max($0.seconds, 0.5) } ?? 0
      view.show(.stats(stats))
    } else {
      view.show(message)
    }
    let now = clock.now
    switch message {
    case .stats(let stats): add(stats, at: now)
    case .crashed(let pid, let kill):
      // The phone may have recorded a requested crash.
      followPhone(untilNow: true)
      var exit = ExitFact(how: "died while it broadcast", kill: kill)
      exit.name = "The extension (process \(pid))"
      if isBroadcasting {
        noteEnd(ObservedEndEvent(isKilled: kill != nil, dialog: launch?.crashDialog, at: now))
      } else if pid == endedProcess {
        return
      }
      take(exit, at: kill.map { MonotonicTime(nanoseconds: $0.atNs) } ?? now, pid: pid, isOld: last == nil)
    case .suspended(let pid):
      followPhone()
      show(finder.add(.suspended(pid, from: now)))
    case .resumed(let pid):
      if let cause = finder.endSuspension(of: pid, at: now) { show(cause) }
    default: break
    }
  }

  /// Excludes the next rates, because the app did not run for some of their time. ``noteStop(_:wasStopped:machineDelay:)``
  /// records the cause.
  func noteInterruption() { wasInterrupted = true }

  /// Records a time in which the app did not run.
  func noteStop(_ time: Duration, wasStopped: Bool, machineDelay: Duration) {
    take(
      AppStopFact(
        seconds: time / .seconds(1), wasStopped: wasStopped, machineMs: machineDelay / .milliseconds(1)),
      at: clock.now)
  }

  /// Reads the facts that the phone has recorded since the last call.
  ///
  /// The phone records an event before it happens, and once more if it is refused. So the newest event is shown only by a
  /// later call, or at once if `untilNow` is set.
  func followPhone(untilNow: Bool = false) {
    // A process that has died writes no further facts, so the facts read below are complete.
    let died = launching.flatMap { ProcessState.isRunning($0) ? nil : $0 }
    var facts = follower?.next() ?? []
    while untilNow, follower?.isAtEnd == false { facts += follower?.next() ?? [] }
    if isFirst {
      // Only the end of the file shows whether the broadcast ended before the watch.
      early += facts
      guard follower?.isAtEnd != false else { return }
      (facts, early) = (early, [])
    }
    defer { isFirst = false }
    if facts.isEmpty { showAsked() }
    // Skip a broadcast that ended before the watch, normally or by a crash.
    let early = isFirst ? facts.filter { $0.time < start } : []
    let hasCrashed = early.last.map { $0.pid != getpid() && !ProcessState.isRunning($0.pid) } ?? false
    let end = early.last { hasCrashed || $0.body is BroadcastEnd }?.time
    for fact in facts where end.map({ fact.time > $0 }) ?? true {
      let request = fact.body as? RequestEvent
      if request?.refusal == nil || request?.what != asked?.event.what { showAsked() }
      if let request, request.refusal == nil { newestRequest = (request.what, fact.time) }
      switch fact.body {
      case let body as LaunchFact:
        (isBroadcasting, launch, framesMissed, second) = (true, body, 0, nil)
        (endedProcess, newestRequest, launching) = (nil, nil, fact.pid)
        view.show(.begun(BegunEvent(body, at: fact.time, pid: fact.pid)))
      case is StartedEvent: launching = nil
      case let body as MemoryKill: kill = body
      case let body as BroadcastEnd:
        let cause = newestRequest.flatMap { fact.time - $0.time < .seconds(3) ? $0.text : nil }
        noteEnd(ObservedEndEvent(body, after: cause, at: fact.time))
        endedProcess = body.reason == "endedByExtension" ? fact.pid : nil
      case let body as SecondEvent:
        framesMissed &+= body.framesDropped
        second = body
      case let body as RequestEvent where body.isFromPage != true: asked = (body, fact.time)
      default: break
      }
      for cause in finder.take(fact) { show(cause) }
    }
    if let died, died == launching, follower?.isAtEnd == true { noteCrash(whileStarting: died) }
    if untilNow { showAsked() }
  }

  /// Records that the process died in `broadcastStarted`, possibly before it set the flag or took the lock.
  private func noteCrash(whileStarting pid: Int32) {
    let kill = kill?.pid == pid ? kill : nil
    var exit = ExitFact(how: "died while it started", kill: kill)
    exit.name = "The extension (process \(pid))"
    noteEnd(ObservedEndEvent(isKilled: kill != nil, dialog: launch?.crashDialog, at: clock.now))
    endedProcess = pid
    take(exit, at: clock.now, pid: pid)
  }

  private func showAsked() {
    guard let (event, time) = asked else { return }
    asked = nil
    view.show(
      .control(
        ControlEvent(
          event.what, name: event.name ?? event.what, line: line(event.what), problem: event.refusal,
          by: .terminal, at: time)))
  }

  private func noteEnd(_ event: ObservedEndEvent) {
    (isBroadcasting, second, launching) = (false, nil, nil)
    view.show(.ended(event))
  }

  private func line(_ event: String) -> String? { control.map { "\($0) \(event.shellWord)" } }

  private func add(_ stats: WatchStats, at now: MonotonicTime) {
    let delay = ThreadActivity.processorDelay()
    if wasInterrupted {
      (wasInterrupted, rates, last) = (false, [], (now, stats.framesTorn, delay))
      return
    }
    guard let last, now - last.time >= .milliseconds(900) else {
      if last == nil { last = (now, stats.framesTorn, delay) }
      return
    }
    rates = rates.suffix(2) + [stats.phase == .live ? stats.framesPerSecondIn : 0]
    // If the screen was unchanged for part of a second, it is not known how many polls could find a frame.
    let isSteady = rates.count == 3 && rates.allSatisfy { abs($0 - stats.framesPerSecondIn) < 0.1 * $0 }
    let isCounted = isSteady && stats.framesPerSecondIn >= pollsPerSecond
    let torn = stats.framesTorn > last.torn ? stats.framesTorn - last.torn : 0
    self.last = (now, stats.framesTorn, delay)
    take(
      AppFact(
        seconds: (now - last.time) / .seconds(1), framesPerSecond: stats.framesPerSecondOut,
        possible: min(stats.framesPerSecondIn, pollsPerSecond), framesTorn: torn,
        isShort: isCounted && stats.isSlow(limit: pollsPerSecond),
        machineMs: max(.zero, delay - last.delay) / .milliseconds(1)), at: now)
  }

  private func take(_ body: some FactBody, at time: MonotonicTime, pid: Int32 = getpid(), isOld: Bool = false)
  {
    for var cause in finder.take(Fact(body, at: time, pid: pid)) {
      cause.isOld = isOld
      show(finder.add(cause))
    }
  }

  private func show(_ cause: Cause, isLast: Bool = false) {
    let length = cause.to.map { $0 - cause.from } ?? .zero
    if let earlier = shown[cause.id], cause.isOpen == earlier.isOpen,
      isLast ? length == earlier.length : length < earlier.length * 2
    {
      return
    }
    let isNew = shown.updateValue((length, cause.isOpen), forKey: cause.id) == nil
    let repetition =
      launch?.arguments.map { Cause.commandLine($0, with: cause.event) } ?? cause.event.flatMap(line)
    view.show(.cause(cause, isNew: isNew, again: repetition))
  }
}
