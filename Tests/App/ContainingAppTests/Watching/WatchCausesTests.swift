import PhoneLink
import ScreenBroadcast
import TestSupport

@testable import Causes
@testable import ContainingApp

@MainActor @Suite struct WatchCausesTests {
  /// Records the messages of a watch.
  private final class Messages: WatchView {
    var all: [WatchMessage] = []
    func show(_ message: WatchMessage) { all.append(message) }
    var ends: [ObservedEndEvent] {
      all.compactMap { if case .ended(let event) = $0 { event } else { nil } }
    }
    var causes: [Cause] { all.compactMap { if case .cause(let cause, _, _) = $0 { cause } else { nil } } }
  }

  private let clock = TestClock()
  private let messages = Messages()
  private let folder = TemporaryFolder.ofSuite()
  private let container: AppGroupContainer
  private let file: FactsFile

  init() throws {
    container = try AppGroupContainer(root: folder.path, group: "group.com.example.tests")
    try container.prepare()
    file = FactsFile(in: container)
  }

  private func makeWatch() -> WatchCauses {
    WatchCauses(
      messages, container: container, control: "producer control --group=g", pollsPerSecond: 30, clock: clock)
  }

  private func append(_ body: some FactBody) { file.append(Fact(body, at: clock.now, pid: 7)) }

  private var launched: LaunchFact {
    var fact = LaunchFact(fps: 60)
    (fact.device, fact.arguments) = ("iphone-15", ["producer", "--pattern", "bars"])
    return fact
  }

  private func begin() {
    append(launched)
    append(StartedEvent(fps: 60))
  }

  private func request(_ text: String, refusal: String? = nil, isFromPage: Bool? = nil) {
    var fact = RequestEvent(what: text, refusal: refusal)
    (fact.name, fact.isFromPage) = ("Name of \(text)", isFromPage)
    append(fact)
  }

  @Test func theBeginAndTheEndOfABroadcastAreShownWithTheirReasons() {
    let watch = makeWatch()
    begin()
    var end = BroadcastEnd(reason: "extensionError")
    end.errorDescription = "The call is over"
    append(end)
    var again = launched
    again.crashDialog = "It has crashed."
    again.arguments = [
      "./Handler", "broadcast", "--fps=10", "--at", "1s crash", "--at", "2s", "lock", "--container=/c",
      "--mic", "tone",
      "--at=2s lock", "--json", "--setup-info", "broadcast=1",
    ]
    append(again)
    watch.followPhone()
    watch.show(.crashed(pid: 7))
    watch.show(.crashed(pid: 7))
    let ends = messages.ends
    #expect(ends.map(\.how) == [.error, .crashed] && ends[0].errorDescription == "The call is over")
    #expect(ends[1].dialog == "It has crashed.")
    let begins = messages.all.compactMap { if case .begun(let event) = $0 { event } else { nil } }
    #expect(begins.map(\.device) == ["iphone-15", "iphone-15"] && begins[0].pid == 7)
    #expect(begins[1].arguments == ["--fps=10", "--mic", "tone", "--setup-info", "broadcast=1"])
  }

  @Test func aCrashWithinTheStartIsShownOnceWithTheLineThatRepeatsIt() {
    let watch = makeWatch()
    file.append(Fact(launched, at: clock.now, pid: getpid()))
    file.append(Fact(RequestEvent(what: "slow:9"), at: clock.now, pid: getpid()))
    watch.followPhone()
    watch.followPhone()
    #expect(messages.ends.isEmpty)
    let pid = Int32.max
    file.append(Fact(launched, at: clock.now, pid: pid))
    // It is known before this call that the process is alive.
    watch.followPhone()
    for _ in 0..<2 { watch.followPhone() }
    watch.show(.crashed(pid: pid))
    #expect(messages.ends.map(\.how) == [.crashed] && messages.causes.map(\.isFault) == [true])
    #expect(messages.causes[0].text == "The extension (process \(pid)) died while it started.")
  }

  @Test func theRateThatWasAskedForIsTheLimitAndNotTheRateThatCame() throws {
    let watch = makeWatch()
    let view = TerminalWatchView(console: Console(messages: nil, errors: nil))
    func rate(in published: Double, out: Double) throws -> LivePart? {
      watch.followPhone()
      var stats = makeStats(frame: try makeBroadcastFrame())
      (stats.framesPerSecondIn, stats.framesPerSecondOut) = (published, out)
      watch.show(.stats(stats))
      guard case .stats(let shown) = messages.all.last else { return nil }
      return view.line(shown).first { $0.text.hasSuffix(" fps") }
    }
    begin()
    #expect(try rate(in: 60, out: 30) == LivePart("30.0/30.0 fps"))
    request("rate:10")
    #expect(try rate(in: 10, out: 10) == LivePart("10.0/10.0 fps"))
    // The screen is unchanged for part of the second.
    #expect(try rate(in: 2, out: 2) == LivePart("2.0/10.0 fps"))
    var second = SecondEvent(seconds: 1, framesDelivered: 2)
    second.framesBehind = 8
    append(second)
    #expect(try rate(in: 2, out: 2) == LivePart("2.0/10.0 fps", .red))
    append(SecondEvent(seconds: 1, framesDelivered: 10))
    append(BroadcastEnd(reason: "stoppedByApp"))
    #expect(try rate(in: 2, out: 2) == LivePart("2.0/30.0 fps"))
  }

  @Test(
    arguments: [
      ("stoppedByApp", nil, "The app has ended the broadcast."),
      ("stoppedBySystem", "lock", "Locking the phone has ended the broadcast."),
      ("stoppedBySystem", "indicator:stop", "The person has ended the broadcast."),
      ("stoppedBySystem", nil, "The system has ended the broadcast, as after Ctrl-C."),
      ("endedByExtension", "finish", "The extension has ended the broadcast, without an error."),
      ("duration", nil, "The option --duration has ended the broadcast."),
    ] as [(String, String?, String)])
  func anEndNamesWhoMadeItAndWhatAPhoneShows(reason: String, event: String?, text: String) {
    let watch = makeWatch()
    begin()
    request("lock", refusal: "It was not possible.")
    if let event { request(event) }
    var end = BroadcastEnd(reason: reason)
    end.dialog = "It has stopped."
    append(end)
    // The flag stays on after an extension has ended by itself. That is not a crash.
    watch.show(.crashed(pid: 7))
    #expect(messages.ends.map(\.text) == [text] && messages.ends[0].dialog == "It has stopped.")
    #expect(messages.causes.isEmpty == (reason == "endedByExtension"))
  }

  @Test func aLongBroadcastThatEndedBeforeTheWatchHasNoCauseInIt() {
    var second = SecondEvent(seconds: 1, framesDelivered: 20)
    (second.framesBehind, second.handlerMs) = (40, 20 * 51)
    begin()
    // More facts than are read at once.
    for _ in 0..<3000 {
      clock.advance(by: .seconds(1))
      append(second)
    }
    append(BroadcastEnd(reason: "stoppedByApp"))
    clock.advance(by: .seconds(1))
    let watch = makeWatch()
    for _ in 0..<5 { watch.followPhone() }
    #expect(messages.all.isEmpty)
    begin()
    clock.advance(by: .seconds(1))
    append(second)
    watch.followPhone()
    #expect(messages.causes.count == 1)
  }

  /// The facts of the crashed broadcast have no end.
  @Test func aBroadcastThatCrashedBeforeTheWatchHasNoCauseInIt() {
    var second = SecondEvent(seconds: 1, framesDelivered: 20)
    (second.framesBehind, second.handlerMs) = (40, 20 * 51)
    for body in [launched, StartedEvent(fps: 60), second, second] as [any FactBody] {
      file.append(Fact(body, at: clock.now, pid: .max))
      clock.advance(by: .seconds(1))
    }
    let watch = makeWatch()
    watch.show(.crashed(pid: .max))
    #expect(messages.causes.map(\.kind) == [.crashed] && messages.causes[0].isOld && watch.framesMissed == 0)
  }

  @Test func theCommandThatShowsACauseAgainHasItsEventOnce() {
    let watch = makeWatch()
    var start = launched
    start.arguments = ["producer", "--at", "0s slow:0.05"]
    append(start)
    append(StartedEvent(fps: 60))
    append(RequestEvent(what: "slow:0.05", effect: .makes(.slow)))
    clock.advance(by: .seconds(1))
    var second = SecondEvent(seconds: 1, framesDelivered: 20)
    (second.framesBehind, second.handlerMs) = (40, 20 * 51)
    append(second)
    watch.followPhone()
    let lines = messages.all.compactMap { if case .cause(_, _, let line) = $0 { line } else { nil } }
    #expect(lines == ["producer --at '0s slow:0.05'"])
  }

  @Test(arguments: [true, false]) func aStopOfTheAppIsNoBlockedThread(isNoted: Bool) {
    let watch = makeWatch()
    begin()
    watch.followPhone()
    var stats = makeStats()
    for _ in 0..<6 {
      clock.advance(by: .seconds(1))
      watch.show(.stats(stats))
    }
    clock.advance(by: .seconds(39))
    if isNoted { watch.noteInterruption() }
    stats.framesPerSecondOut = 0.2
    watch.show(.stats(stats))
    watch.noteStop(.seconds(39), wasStopped: true, machineDelay: .zero)
    watch.show(.stats(stats))
    let kinds = messages.all.compactMap {
      if case .cause(let cause, true, _) = $0 { cause.kind } else { nil }
    }
    // Without the noted interruption, the watch reports two causes.
    #expect(kinds == (isNoted ? [.appSuspended] : [.appBlocked, .appSuspended]))
  }

  @Test func theMemoryOfTheExtensionIsWhatThePhoneNotedLast() {
    let watch = makeWatch()
    func shown() -> [UInt64?] {
      watch.followPhone()
      watch.show(.stats(makeStats()))
      guard case .stats(let stats) = messages.all.last else { return [] }
      return [stats.footprintBytes, stats.limitBytes]
    }
    #expect(shown() == [nil, nil])
    begin()
    #expect(shown() == [nil, nil])
    var second = SecondEvent(seconds: 1, framesDelivered: 60)
    for bytes in [3_000_000, 3_900_000] as [UInt64] {
      (second.footprintBytes, second.limitBytes) = (bytes, 120 << 20)
      append(second)
    }
    #expect((shown(), shown()) == ([3_900_000, 120 << 20], [3_900_000, 120 << 20]))
    append(BroadcastEnd(reason: "stoppedByApp"))
    #expect(shown() == [nil, nil])
  }

  @Test func whatATerminalAsksForIsShownOnceAndWhatThePageAsksForIsNot() {
    let watch = makeWatch()
    begin()
    request("rotate:left")
    request("pause", isFromPage: true)
    request("unlock")
    // A reader between an event and its refusal must not show the event as done.
    watch.followPhone()
    request("unlock", refusal: "The device is not locked.")
    watch.followPhone()
    request("lock")
    watch.followPhone()
    watch.followPhone()
    let controls = messages.all.compactMap { if case .control(let event) = $0 { event } else { nil } }
    #expect(controls.map(\.command) == ["rotate:left", "unlock", "lock"])
    #expect(controls.map(\.line) == controls.map { "producer control --group=g \($0.command)" })
    #expect(controls.map(\.problem) == [nil, "The device is not locked.", nil])
    #expect(controls[0].name == "Name of rotate:left" && controls[0].by == .terminal)
  }

  @Test func theFramesThatTheHandlerDidNotGetAreThoseOfTheNewestBroadcast() {
    let watch = makeWatch()
    for behind: UInt64 in [5, 7] {
      begin()
      var second = SecondEvent(seconds: 1, framesDelivered: 50)
      (second.framesBehind, second.framesLeftOut) = (behind, 2)
      append(second)
      watch.followPhone()
      #expect(watch.framesMissed == behind + 2)
    }
  }

  @Test func whereNoOtherProcessCanAskForAnEventNoLineRepeatsACause() {
    let watch = WatchCauses(messages, container: nil, control: nil, pollsPerSecond: 30, clock: clock)
    watch.show(.suspended(pid: 7))
    #expect(messages.all.contains { if case .cause(_, _, let again) = $0 { again == nil } else { false } })
  }

  @Test func aCauseIsShownAgainWhenItEndsWithTheLineThatRepeatsIt() {
    let watch = makeWatch()
    begin()
    watch.followPhone()
    watch.show(.suspended(pid: 7))
    clock.advance(by: .seconds(3))
    watch.show(.resumed(pid: 7))
    let causes = messages.all.compactMap {
      if case .cause(let cause, _, let again) = $0 { (cause, again) } else { nil }
    }
    #expect(causes.map(\.0.isOpen) == [true, false] && causes[0].0.id == causes[1].0.id)
    #expect(causes[1].0.was == "frozen for 3.0 s: the extension was suspended.")
    #expect(causes[1].1 == "producer --pattern bars --at 3s suspend:3.0")
  }

  @Test func aCrashIsTheSameInAWatchThatBeginsLaterAndNoFaultThere() {
    begin()
    let first = makeWatch()
    for _ in 0..<2 {
      first.show(.stats(makeStats()))
      clock.advance(by: .seconds(1))
    }
    first.show(.crashed(pid: 7))
    clock.advance(by: .seconds(9))
    makeWatch().show(.crashed(pid: 7))
    #expect(Set(messages.causes.map(\.id)).count == 1)
    #expect(messages.causes.map { CauseEvent($0).severity } == ["fault", "note"])
  }
}
