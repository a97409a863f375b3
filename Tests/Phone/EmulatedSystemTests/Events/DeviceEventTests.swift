import EmulatedCapture
import EmulatedDevice
import PhoneLink
import ScreenBroadcast
import TestSupport

@testable import EmulatedSystem

@Suite struct DeviceEventTests {
  @Test(arguments: [
    "pause", "resume", "indicator:stop", "indicator:cancel", "lock", "lock:pause", "unlock", "call",
    "call:audio-returns", "hangup", "route:airpods", "route:16000x2", "audio-ends:mic", "audio-starts:app",
    "stop", "error:activePhoneCall", "annotate:com.example.game", "rotate:left", "resize:2560x1440",
    "still:2.5", "repeat:2", "protected:1.5", "empty:3", "rate:24", "rate:23.976", "skip:3", "burst:5",
    "finish", "pad-chroma:64", "notifications:lost", "notifications:normal", "socket:none",
    "socket:latency,latency=300,jitter=50,stream=downstream,toxicity=0.5,seed=7", "slow:0.1", "allocate:60",
    "suspend:3", "app:memory-warning",
    "crash",
  ])
  func aTextIsParsedAndWrittenBack(_ text: String) throws {
    #expect(try DeviceEvent(text: text).text == text)
  }

  /// The text of an event reaches logs, traces, and command lines that people copy.
  @Test(arguments: [
    "$(id)", "`id`", "a;id", "a b", "a\nb", "a\u{1B}[2J", "../a", "/etc/passwd", "a'b", "\u{e9}",
  ])
  func noEventTakesATextThatAShellWouldRunOrThatNamesAFile(_ text: String) {
    for form in DeviceEvent.forms {
      #expect(throws: UsageError.self, "\(form.usage)") { try DeviceEvent(text: "\(form.word):\(text)") }
    }
  }

  @Test func anEventWithoutAnAnswerHasFailedUnlessItIsACrash() throws {
    let folder = try TemporaryFolder()
    let container = try AppGroupContainer(root: folder.path, group: "group.com.example.tests")
    try container.prepare()
    let service = try LineService(
      folder: container.broadcastFolder, name: AppGroupContainer.controlSocketName)
    let outcomes = Mutex<[ExitCode]>([])
    Thread.detachNewThread {
      for event: DeviceEvent in ["pause", "crash"] {
        do throws(ProgramFailure) {
          try event.send(to: container)
          outcomes.withLock { $0.append(.ok) }
        } catch {
          outcomes.withLock { $0.append(error.exitCode) }
        }
      }
    }
    let areSent = try holds {
      try service.answer { _, _ in }
      return outcomes.withLock { $0.count } == 2
    }
    #expect(areSent && outcomes.withLock { $0 } == [.nothingCame, .ok])
  }

  @Test func everyEventIsAButtonOfItsOwnName() throws {
    for text in DeviceEvent.actions.map(\.firstCommand) { #expect(try DeviceEvent(text: text).text == text) }
    for text in CaptureEvent.actions.map(\.firstCommand) {
      #expect(try CaptureEvent(text: text).text == text)
    }
    for text in SystemEvent<InAppCapture>.actions.map(\.firstCommand) {
      #expect(try SystemEvent<InAppCapture>(text: text).text == text)
    }
    let words = Set(DeviceEvent.actions.map { $0.word.prefix { $0 != ":" } })
    #expect(words == Set(DeviceEvent.forms.map { Substring($0.word) }))
    for actions in [DeviceEvent.actions, CaptureEvent.actions, SystemEvent<InAppCapture>.actions] {
      #expect(Set(actions.map(\.name)).count == actions.count)
    }
    #expect(try DeviceEvent(text: "socket:reset_peer").name == "Socket: reset")
  }

  @Test func aButtonSaysWhatItEnds() {
    let ends = Dictionary(uniqueKeysWithValues: DeviceEvent.actions.map { ($0.word, $0.ends) })
    #expect(ends["crash"] == .broadcast && ends["error"] == .broadcast && ends["indicator"] == .broadcast)
    #expect(ends["app:kill"] == .page && ends["app:foreground"] == .nothing && ends["lock:pause"] == .nothing)
  }

  @Test func anEventOfAPageIsSentAsOne() throws {
    #expect(try DeviceEvent(sent: "page rotate:left").isFromPage)
    #expect(try !DeviceEvent(sent: "rotate:left").isFromPage)
  }

  @Test(arguments: [
    ("rotat:left", "There is no event 'rotat:left'; did you mean 'rotate'?"),
    ("pause:2", "'pause' takes no value, not 'pause:2'."),
    ("rotate:sideways", "'rotate:NAME' expects one of up, upMirrored, down, "),
    ("allocate:60M", "'allocate:MiB' expects a whole number from 1 to 65536, not '60M'."),
    ("lock:up", "The events are 'lock' and 'lock:pause', not 'lock:up'; did you mean 'lock'?"),
    ("app:kil", "The events are 'app:background', 'app:suspend', 'app:foreground', "),
    ("route:24000", "'route:ROUTE' expects built-in, airpods, multi-camera, or a rate and a number"),
    ("skip", "'skip:N' expects a whole number from 1 to 10000, not ''."),
    ("skip:99999999999999999999", "'skip:N' expects a whole number from 1 to 10000, not '9999"),
  ])
  func theErrorOfAWrongTextSaysWhatIsExpected(_ text: String, _ start: String) throws {
    let error = try #require(#expect(throws: UsageError.self) { try DeviceEvent(text: text) })
    #expect(error.message.hasPrefix(start))
  }

  @Test(arguments: [
    ("2s pause", Duration.seconds(2)), ("3.5s pause", .milliseconds(3500)),
    ("500ms pause", .milliseconds(500)),
    ("0 pause", .zero), ("0.25 pause", .milliseconds(250)),
  ])
  func aTimeIsTypedInSecondsOrMilliseconds(_ text: String, _ time: Duration) throws {
    #expect(try ScheduledEvent(text: text) == ScheduledEvent(time: time, event: "pause"))
  }

  @Test(arguments: [
    "pause", "2s", "-1s pause", "2h pause", "1e3s pause", "9999999999s pause", "s pause", " ",
  ])
  func aWrongTimeOrEventIsRefused(_ text: String) {
    #expect(throws: UsageError.self) { try ScheduledEvent(text: text) }
  }
}
