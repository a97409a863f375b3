import Causes
import CommandLineSupport
import Foundation
import Platform
import Testing

@Suite struct CauseFinderTests {
  /// Feeds a cause finder with the facts of a broadcast, second by second.
  struct Broadcast {
    var finder = CauseFinder()
    var time = MonotonicTime(nanoseconds: 1_000_000_000_000)

    init(fps: Double = 60) { take(StartedEvent(fps: fps)) }

    mutating func take(_ body: any FactBody) { _ = finder.take(Fact(body, at: time, pid: 1)) }
    /// Adds a second of the app. If it is short, the app received 5 of 30 frames.
    mutating func app(
      torn: UInt64 = 0, isShort: Bool = false, machineMs: Double = 0, seconds: Double = 1
    ) {
      take(
        AppFact(
          seconds: seconds, framesPerSecond: isShort ? 5 : 30, possible: 30, framesTorn: torn,
          isShort: isShort,
          machineMs: machineMs))
    }

    /// Adds a second with 60 delivered frames, as modified by `change`.
    mutating func second(_ change: (inout SecondEvent) -> Void = { _ in }) {
      time = time + .seconds(1)
      var second = SecondEvent(seconds: 1, framesDelivered: 60)
      second.handlerMs = 60 * 2
      change(&second)
      take(second)
    }

    var kinds: [Cause.Kind] { finder.causes.map(\.kind) }
    var texts: [String] { finder.causes.map(\.text) }
  }

  @Test func aBroadcastWithAllFramesHasNoCause() {
    var broadcast = Broadcast()
    for _ in 0..<20 { broadcast.second() }
    broadcast.take(BroadcastEnd(reason: "stoppedBySystem"))
    #expect(broadcast.kinds.isEmpty)
  }

  @Test func aSlowHandlerIsOneCauseThatGrows() {
    var broadcast = Broadcast()
    for _ in 0..<3 {
      broadcast.second { ($0.framesDelivered, $0.framesBehind, $0.handlerMs) = (20, 40, 20 * 51) }
    }
    #expect(broadcast.texts == ["The handler itself took 51 ms a frame: 120 frames were dropped."])
    let cause = broadcast.finder.causes[0]
    #expect(cause.isFault && cause.to == broadcast.time && broadcast.time - cause.from == .seconds(3))
    // The handler is slow for a part of the last second.
    broadcast.second {
      ($0.framesDelivered, $0.framesBehind, $0.handlerMs, $0.handlerMsMax) = (45, 15, 340, 68)
    }
    #expect(broadcast.texts == ["The handler itself took 51 ms a frame: 135 frames were dropped."])
  }

  @Test func framesThatWaitedForTheMachineAreNotTheHandlers() {
    var broadcast = Broadcast()
    broadcast.second { ($0.framesDelivered, $0.framesBehind, $0.machineMs) = (20, 40, 800) }
    broadcast.second { ($0.framesDelivered, $0.framesLate, $0.screenMs) = (30, 30, 450) }
    // The call may have waited for a thread that was starved of CPU.
    broadcast.second {
      ($0.framesDelivered, $0.framesBehind, $0.handlerMsMax, $0.machineMs) = (42, 18, 231, 500)
    }
    #expect(broadcast.kinds == [.late])
    #expect(broadcast.finder.causes.allSatisfy { !$0.isFault })
  }

  @Test func aHandlerThatIsSlowOnABusyMachineIsSlow() {
    var broadcast = Broadcast()
    broadcast.second {
      ($0.framesDelivered, $0.framesBehind, $0.handlerMs, $0.machineMs) = (8, 52, 8 * 50, 500)
    }
    #expect(broadcast.kinds == [.slow])
  }

  @Test func aLongCallOfAFastHandlerIsNamed() {
    var broadcast = Broadcast()
    broadcast.second {
      ($0.framesDelivered, $0.framesBehind, $0.handlerMs, $0.handlerMsMax) = (42, 12, 42 * 2, 300)
    }
    #expect(
      broadcast.texts == ["A call of the handler itself took 300 ms: 12 frames were dropped."])
  }

  @Test func aHandlerThatWasSlowIsNotWhyLaterFramesAreBehind() {
    for isMean in [true, false] {
      var broadcast = Broadcast()
      broadcast.second {
        ($0.framesDelivered, $0.framesBehind) = (20, 40)
        ($0.handlerMs, $0.handlerMsMax) = isMean ? (20 * 51, 51) : (340, 300)
      }
      for _ in 0..<9 { broadcast.second { ($0.framesDelivered, $0.framesBehind) = (59, 1) } }
      broadcast.second()
      #expect(broadcast.kinds == [.slow, .requested] && !broadcast.finder.causes[0].isOpen)
      #expect(broadcast.texts[0].contains(" 41 frames were dropped"))
    }
  }

  @Test func aLongCallOfASlowHandlerOnABusyMachineIsItsOwn() {
    var broadcast = Broadcast()
    broadcast.second { ($0.framesDelivered, $0.framesBehind, $0.handlerMs) = (20, 40, 20 * 51) }
    broadcast.second {
      ($0.framesDelivered, $0.framesBehind, $0.machineMs) = (240, 40, 700)
      ($0.handlerMs, $0.handlerMsMax) = (2400, 2000)
    }
    #expect(broadcast.kinds == [.slow])
  }

  @Test func aCallThatWasBlockedBeforeAnEventIsOlderThanThat() {
    var broadcast = Broadcast()
    let start = broadcast.time
    for _ in 0..<3 { broadcast.second { ($0.framesDelivered, $0.framesBehind, $0.handlerMs) = (0, 60, 0) } }
    broadcast.take(RequestEvent(what: "slow:0.05", effect: .makes(.slow)))
    broadcast.second {
      ($0.framesDelivered, $0.framesBehind, $0.handlerMs, $0.handlerMsMax) = (9, 50, 3900, 3500)
    }
    #expect(broadcast.kinds == [.slow] && broadcast.finder.causes[0].from == start)
  }

  @Test func framesBehindACallThatReturnsLaterAreItsOwn() {
    var broadcast = Broadcast()
    broadcast.second { ($0.framesDelivered, $0.framesBehind, $0.machineMs) = (36, 10, 40) }
    broadcast.second { ($0.framesDelivered, $0.framesBehind, $0.handlerMs) = (0, 60, 0) }
    #expect(broadcast.kinds.isEmpty)
    broadcast.second {
      ($0.framesDelivered, $0.framesBehind, $0.handlerMs, $0.handlerMsMax) = (50, 5, 1600, 1500)
    }
    #expect(broadcast.kinds == [.slow] && broadcast.texts[0].contains("75 frames were dropped"))
    // The next call blocks too, so the cause stays open.
    for (delivered, own) in [(0, 0.0), (0, 0), (1, 3000)] as [(UInt64, Double)] {
      #expect(broadcast.finder.causes.map(\.isOpen) == [true])
      broadcast.second {
        ($0.framesDelivered, $0.framesBehind, $0.handlerMs, $0.handlerMsMax) = (delivered, 59, own, own)
      }
    }
    #expect(broadcast.kinds == [.slow] && broadcast.texts[0].contains("252 frames were dropped"))
    for _ in 0..<2 { broadcast.second { ($0.framesDelivered, $0.handlerMs) = (0, 0) } }
    #expect(
      broadcast.finder.causes.map(\.isOpen) == [false, true] && broadcast.kinds == [.slow, .idleScreen])
  }

  @Test func aScreenThatWaitsForTheMainThreadIsNoLateMachine() {
    var broadcast = Broadcast()
    broadcast.second { ($0.framesDelivered, $0.framesLate, $0.screenMs) = (10, 50, 3) }
    #expect(broadcast.kinds == [.screenBlocked])
  }

  @Test func aSuspensionExplainsTheFramesOfItsTime() {
    var broadcast = Broadcast()
    broadcast.second()
    broadcast.take(RequestEvent(what: "suspend:2", effect: .makes(.suspended, for: .seconds(2))))
    broadcast.time = broadcast.time + .seconds(2)
    broadcast.take(StopFact(seconds: 2))
    broadcast.second { ($0.framesDelivered, $0.framesLate, $0.framesBehind) = (3, 117, 2) }
    #expect(
      broadcast.texts == [
        "As requested (suspend:2): The extension (process 1) was suspended for 2.0 s; no frames came."
      ])
    broadcast.second { ($0.framesDelivered, $0.framesLate, $0.screenMs) = (3, 57, 3) }
    #expect(broadcast.kinds == [.suspended, .screenBlocked])
  }

  @Test func aCauseLastsUntilItsSymptomEnds() {
    var broadcast = Broadcast()
    for _ in 0..<2 { broadcast.second { ($0.framesDelivered, $0.handlerMs) = (0, 0) } }
    #expect(broadcast.finder.causes.map(\.isOpen) == [true])
    broadcast.second()
    #expect(broadcast.finder.causes.map(\.isOpen) == [false] && broadcast.kinds == [.idleScreen])
    #expect(broadcast.finder.causes[0].now == "All right: the screen has not changed for {s} s.")
    #expect(broadcast.finder.causes[0].was == "all right: the screen did not change for 2.0 s.")
    broadcast.second { ($0.framesDelivered, $0.framesBehind, $0.handlerMs) = (20, 40, 20 * 51) }
    broadcast.take(BroadcastEnd(reason: "stoppedBySystem"))
    #expect(broadcast.finder.causes.allSatisfy { !$0.isOpen })
  }

  @Test func aStillScreenIsAskedForAsLongAsItWas() {
    var broadcast = Broadcast()
    broadcast.take(RequestEvent(what: "still:2", effect: .makes(.idleScreen, for: .seconds(2))))
    for frames: UInt64 in [0, 0, 60, 60, 0, 0] {
      broadcast.second { ($0.framesDelivered, $0.handlerMs) = (frames, 0) }
    }
    #expect(broadcast.finder.causes.map(\.request) == [nil, "still:2"])
  }

  @Test(arguments: [
    (Cause.Kind.slow, "", true), (.ended, "Team 1", false), (.misuse, "kept", true),
    (.misuse, "unlocked", false), (.crashed, "", false), (.refused, "Team 1", false),
  ])
  func whatALateMachineCanCauseIsNoProof(kind: Cause.Kind, detail: String, mayBeHostLoad: Bool) {
    #expect(Cause(kind, detail, from: .zero, "It happened.").mayBeHostLoad == mayBeHostLoad)
  }

  @Test func whatAPersonAskedForIsNoFault() {
    var broadcast = Broadcast()
    broadcast.time = broadcast.time + .milliseconds(400)
    broadcast.take(RequestEvent(what: "slow:0.05", effect: .makes(.slow)))
    broadcast.time = broadcast.time - .milliseconds(400)
    broadcast.second { ($0.framesDelivered, $0.framesBehind, $0.handlerMs) = (20, 40, 20 * 51) }
    #expect(broadcast.finder.causes.map(\.request) == ["slow:0.05"])
    #expect(broadcast.time - broadcast.finder.causes[0].from == .milliseconds(600))
    #expect(
      broadcast.finder.causes[0].now
        == "Slow, as requested: the handler itself took 51 ms a frame: 40 frames were dropped.")
    #expect(broadcast.finder.causes.allSatisfy { !$0.isFault })
    broadcast.take(RequestEvent(what: "slow:0"))
    broadcast.second()
    broadcast.second { ($0.framesDelivered, $0.framesBehind, $0.handlerMs) = (20, 40, 20 * 51) }
    #expect(broadcast.finder.causes.filter(\.isFault).map(\.kind) == [.slow])
  }

  @Test func anEventThatWasRefusedIsNoRequest() {
    var broadcast = Broadcast()
    broadcast.take(RequestEvent(what: "overlap:5", effect: .makes(.torn)))
    broadcast.take(RequestEvent(what: "overlap:5", refusal: "Not now.", effect: .makes(.torn)))
    broadcast.second()
    broadcast.app(torn: 2, seconds: 0.5)
    #expect(broadcast.finder.causes.map(\.isFault) == [true])
  }

  @Test func framesThatAnEventLeftOutHaveTheirOwnCause() {
    var broadcast = Broadcast()
    broadcast.second { ($0.framesDelivered, $0.framesLeftOut) = (40, 20) }
    broadcast.second { ($0.framesDelivered, $0.framesBehind) = (59, 1) }
    broadcast.second()
    #expect(broadcast.kinds == [.requested, .requested])
  }

  @Test func aRestingScreenIsNoFaultAndAPauseIsNoRest() {
    var broadcast = Broadcast()
    broadcast.second { $0.framesDelivered = 0 }
    #expect(broadcast.texts == ["The screen does not change."])
    for second in 0..<11 {
      broadcast.second { ($0.framesDelivered, $0.framesLate) = (0, second == 5 ? 4 : 0) }
    }
    #expect(
      broadcast.kinds.filter { $0 == .idleScreen }.count == 1
        && broadcast.texts.contains { $0.hasPrefix("The screen has not changed for 12 s:") })
    var paused = Broadcast()
    paused.take(PausedEvent())
    for _ in 0..<3 { paused.second { $0.framesDelivered = 0 } }
    #expect(paused.kinds.isEmpty)
  }

  /// The bytes of the first idle second may belong to earlier frames, so they do not count.
  @Test(arguments: [
    (UInt64(0), Cause.Severity.warning, "sends nothing"), (1200, .note, "sends 1.2 kB a second"),
  ])
  func aLongRestSaysWhatTheHandlerSends(bytes: UInt64, severity: Cause.Severity, says: String) {
    var broadcast = Broadcast()
    broadcast.second { $0.sentBytes = 50_000 }
    for second in 0..<12 {
      broadcast.second {
        ($0.framesDelivered, $0.handlerMs, $0.sentBytes) = (0, 0, second == 0 ? 9000 : bytes)
      }
    }
    #expect((broadcast.kinds, broadcast.finder.causes[0].severity) == ([.idleScreen], severity))
    #expect(broadcast.texts[0].contains("The screen has not changed for 12 s, and the handler \(says)"))
  }

  @Test func memoryThatGrowsEvenlyIsALeakAndAPoolIsNone() {
    var leaking = Broadcast()
    for second in 0..<12 {
      leaking.second { ($0.footprintBytes, $0.limitBytes) = (UInt64(10 + second) << 20, 50 << 20) }
    }
    #expect(leaking.kinds == [.leak])
    #expect(leaking.texts[0].contains("1.0 MiB a second"))
    #expect(leaking.finder.causes.allSatisfy { !$0.isFault })
    for amounts in [
      [10, 20, 30, 31, 31, 31, 31, 31, 31, 31, 31], [10, 10, 10, 10, 18, 18, 18, 18, 18, 18, 18],
      [10, 30, 12, 31, 13, 30, 12, 31, 10, 30, 12],
    ] {
      var right = Broadcast()
      for amount in amounts { right.second { $0.footprintBytes = UInt64(amount) << 20 } }
      #expect(right.kinds.isEmpty, "\(amounts)")
    }
  }

  @Test func anEndByAnErrorIsToldOnceWithItsDialog() {
    var broadcast = Broadcast()
    for _ in 0..<3 { broadcast.second() }
    var end = BroadcastEnd(reason: "extensionError")
    (end.errorDomain, end.errorCode, end.errorDescription) = ("Team", 7, "The socket is gone")
    end.dialog = "Live broadcast to the app has stopped"
    broadcast.take(end)
    broadcast.take(ExitFact(how: "exited with code 76", isBySignal: false))
    #expect(
      broadcast.texts == [
        "The handler ended the broadcast after 3.0 s with an error: Team, code 7: The socket is gone."
      ])
    #expect(broadcast.finder.causes[0].evidence[0].contains("has stopped"))
    #expect(broadcast.finder.causes[0].fingerprint == "ended Team 7")
    // Without a start, this end is a refusal.
    var finder = CauseFinder()
    _ = finder.take(Fact(end, at: broadcast.time, pid: 1))
    #expect(finder.causes.map(\.kind) == [.refused])
  }

  @Test func aKillForMemoryIsNoCrash() throws {
    var broadcast = Broadcast()
    for _ in 0..<4 { broadcast.second() }
    let kill = MemoryKill(
      pid: 1, session: nil, atNs: 1, limitBytes: 50 << 20, footprintBytes: 54 << 20,
      peakFootprintBytes: 54 << 20)
    broadcast.take(ExitFact(how: "ended by signal 9", kill: kill))
    #expect(broadcast.kinds == [.killed])
    #expect(
      broadcast.texts[0] == "The extension was killed for its memory after 4.0 s: 54.0 MiB of 50.0 MiB.")
    // The fingerprint has no numbers, so that the same cause in another run has the same fingerprint.
    #expect(broadcast.finder.causes[0].fingerprint == "killed")
  }

  @Test func aConnectionThatIsLostAndNotMadeAgainIsAFault() {
    for isMade in [false, true] {
      var broadcast = Broadcast()
      broadcast.take(SocketEvent(path: "/app", what: .connected, faults: "", cause: nil))
      broadcast.second()
      broadcast.take(RequestEvent(what: "socket:reset_peer", effect: .makes(.network, .ended)))
      broadcast.take(SocketEvent(path: "/app", what: .closed, faults: "", cause: "peer"))
      broadcast.second()
      if isMade { broadcast.take(SocketEvent(path: "/app", what: .connected, faults: "", cause: nil)) }
      // A later request does not explain the loss.
      broadcast.take(RequestEvent(what: "socket:latency", effect: .makes(.network, .ended)))
      for _ in 0..<9 { broadcast.second() }
      #expect(broadcast.kinds == (isMade ? [] : [.network]))
      #expect(broadcast.finder.causes.allSatisfy { $0.request == "socket:reset_peer" })
    }
  }

  @Test func theAppsTimesAreToldApart() {
    var suspended = Broadcast()
    suspended.take(RequestEvent(what: "app:suspend", effect: .makes(.appSuspended)))
    for _ in 0..<4 { suspended.second() }
    suspended.take(RequestEvent(what: "app:foreground"))
    suspended.take(AppStopFact(seconds: 3, wasStopped: true, machineMs: 2))
    suspended.app(isShort: true)
    #expect(suspended.kinds == [.appSuspended])
    #expect(suspended.finder.causes.map(\.request) == ["app:suspend"])
    var blocked = Broadcast()
    blocked.take(AppStopFact(seconds: 3, wasStopped: false, machineMs: 2))
    #expect(blocked.kinds == [.appBlocked])
    for machineMs in [700.0, 200] {
      var starved = Broadcast()
      starved.app(isShort: true, machineMs: machineMs)
      #expect(starved.kinds == [.starved])
    }
    var torn = Broadcast()
    torn.app(torn: 2)
    #expect(torn.texts == ["2 frames were torn: they have bytes of more than one frame."])
  }

  @Test func whatOnlyExplainsIsBelowWhatWasAskedFor() {
    var broadcast = Broadcast()
    broadcast.second { ($0.framesDelivered, $0.framesLate, $0.screenMs) = (30, 30, 450) }
    broadcast.take(RequestEvent(what: "crash", effect: .makes(.crashed)))
    broadcast.take(ExitFact(how: "ended by signal 9"))
    #expect(broadcast.kinds == [.crashed, .late])
  }

  @Test func aCrashIsFoundAfterHoursOnABusyMachine() {
    var broadcast = Broadcast()
    for _ in 0..<510 {
      broadcast.second { ($0.framesDelivered, $0.framesLate, $0.screenMs) = (30, 30, 450) }
      broadcast.second()
    }
    #expect(broadcast.kinds.count == 500)
    broadcast.take(ExitFact(how: "ended by signal 9"))
    #expect(broadcast.kinds.first == .crashed && broadcast.kinds.count == 500)
  }

  @Test func independentFaultsStandBesideEachOtherByRank() {
    var broadcast = Broadcast()
    broadcast.second { ($0.framesDelivered, $0.framesBehind, $0.handlerMs) = (20, 40, 20 * 51) }
    broadcast.take(
      MisuseEvent(kind: "unlocked", description: "It is not locked.", buffersHeld: nil, heldSeconds: nil))
    broadcast.take(ExitFact(how: "ended by signal 11", lastError: "Fatal error: x"))
    #expect(broadcast.kinds == [.crashed, .misuse, .slow])
  }

  @Test func theLineThatRepeatsABroadcastHasItsEventOnce() {
    func line(_ arguments: String..., event: String?) -> String {
      Cause.commandLine(arguments, with: event)
    }
    #expect(line("/tools/producer", "--fps", "30", event: nil) == "producer --fps 30")
    #expect(line("./Extension", event: "lock") == "./Extension --at 3s lock")
    #expect(line("producer", "--at", "2s", "lock", event: "lock") == "producer --at 2s lock")
    // A shell or a program may pass time and event as one argument.
    #expect(line("producer", "--at", "2s slow:0.05", event: "slow:0.05") == "producer --at '2s slow:0.05'")
    // Another event that ends with the same word is not the event.
    #expect(
      line("producer", "--at", "2s", "lock:pause", event: "pause")
        == "producer --at 2s lock:pause --at 3s pause")
  }

  @Test func aSecondIsTheDifferenceOfTwoTimes() {
    var (earlier, now) = (
      SecondEvent(seconds: 2, framesDelivered: 100), SecondEvent(seconds: 3, framesDelivered: 150)
    )
    (earlier.framesHeld, earlier.handlerMs, earlier.handlerMsMax, earlier.sentBytes) = (1, 10, 5, nil)
    (now.framesHeld, now.handlerMs, now.handlerMsMax, now.sentBytes) = (3, 25, 5, 7)
    let second = now.since(earlier)
    #expect(second.seconds == 1 && second.framesDelivered == 50 && second.framesHeld == 2)
    #expect(second.handlerMs == 15 && second.sentBytes == 7)
    // The longest call happened before this second.
    #expect(second.handlerMsMax == 0)
    now.handlerMsMax = 6
    #expect(now.since(earlier).handlerMsMax == 6)
  }

  @Test func aLineOfAFileIsTheSameFact() throws {
    var second = SecondEvent(seconds: 1, framesDelivered: 3)
    second.framesLate = 4
    let fact = Fact(second, at: MonotonicTime(nanoseconds: 7), pid: 12)
    let line = try #require(fact.json)
    let read = try #require(Fact(json: line))
    #expect(read.time == fact.time && read.pid == 12)
    #expect((read.body as? SecondEvent)?.framesLate == 4)
    for text in ["", "{}", "[]", "{\"event\":\"second\"}", "{\"event\":\"other\",\"atNs\":1,\"pid\":1}"] {
      #expect(Fact(json: Data(text.utf8)) == nil)
    }
  }

  @Test func aLineThatNoPhoneWritesIsNoFact() {
    let numbers = [
      "\"seconds\":1e300", "\"seconds\":-1", "\"framesBehind\":18446744073709551615", "\"handlerMs\":1e12",
    ]
    for number in numbers {
      var keys = [
        "seconds": "1", "framesDelivered": "1", "framesBehind": "0", "framesHeld": "0", "framesLeftOut": "0",
        "framesLate": "0", "handlerMs": "0", "handlerMsMax": "0", "machineMs": "0", "screenMs": "0",
        "isPaused": "false",
        "event": "\"second\"", "atNs": "5", "pid": "1",
      ]
      func line() -> Data {
        Data("{\(keys.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ","))}".utf8)
      }
      #expect(Fact(json: line()) != nil)
      let parts = number.split(separator: ":").map(String.init)
      keys[parts[0].replacing("\"", with: "")] = parts[1]
      #expect(Fact(json: line()) == nil, "\(number)")
    }
    let text = "A\u{1B}[2J line\nand another."
    #expect(!Cause(.misuse, from: .zero, text).sentence.contains("\u{1B}"))
  }

  @Test func everyKindHasItsSentences() {
    for kind in Cause.Kind.allCases {
      #expect(kind.row.onDevice.hasSuffix(".") && kind.row.remedy.contains("."))
    }
  }
}
