import Causes
import EmulatedDevice
import PixelAccess
import ReplayKit
import TestPatterns
import TestSupport

@testable import EmulatedSystem

@MainActor private final class Journal {
  private(set) var events: [String] = []
  private(set) var requests: [String] = []
  private(set) var ending: BroadcastEnding?
  private(set) var end: BroadcastEnd?

  func note(_ event: BroadcastSystem.Event) {
    switch event {
    case .started: events.append("started")
    case .paused: events.append("paused")
    case .resumed: events.append("resumed")
    case .requested(let event): requests.append(event.text)
    case .happened(let event): events.append(event.text)
    case .refused(let event, let reason): events.append("\(event.text) refused: \(reason)")
    case .call(let event): events.append(event.text)
    case .socket(let event): events.append("socket \(event.what.rawValue)")
    // Ignored, because all tests of this process share one notification center.
    case .notification: break
    case .misuse(let misuse, _, _): events.append("misuse \(misuse.rawValue)")
    case .finished(let ending, let end):
      events.append("finished")
      self.ending = ending
      self.end = end
    }
  }
}

/// A system with a manual clock and timers, a handler that records its calls, and a record of the reported events.
@MainActor final class SystemRig {
  let time = TestTime()
  let device: Device
  let handler = RecordingHandler()
  let content: ScriptedContent
  let misuses = Recorder<HandlerMisuse>()
  let screen: EmulatedScreen
  let system: BroadcastSystem
  private let recorder: TraceRecorder?
  private let folder: TemporaryFolder?
  private let journal = Journal()

  /// The screen shows `content`. If it is `nil`, the screen shows a pattern whose size can change.
  init(
    content: ScriptedContent? = ScriptedContent(), durationLimit: Duration? = nil,
    frameLimit: UInt64? = nil, orientation: CGImagePropertyOrientation = .up,
    setupInfo: [String: String] = [:], audio: [EmulatedAudio] = [], schedule: [ScheduledEvent] = [],
    trace: Trace? = nil, records: Bool = false, on device: Device = Device()
  ) throws {
    self.device = device
    self.content = content ?? ScriptedContent()
    let shown =
      try content?.content
      ?? .pattern(.bars, size: PixelSize(width: 18, height: 16), pixelFormat: fullRange, framesPerSecond: 50)
    let misuses = misuses
    screen = try EmulatedScreen(
      content: shown, framesPerSecond: 50, pixelFormat: fullRange, orientation: orientation,
      onMisuse: { misuse in misuses.add(misuse) })
    folder = records ? try TemporaryFolder() : nil
    let clock = time.clock
    recorder = try folder.map { try TraceRecorder(clock: clock, path: $0("trace.jsonl")) }
    system = BroadcastSystem(
      on: device, handler: handler, screen: screen, audio: audio, setupInfo: setupInfo, schedule: schedule,
      durationLimit: durationLimit, frameLimit: frameLimit, time: time.device,
      replay: trace.map(TraceReplay.init), recorder: recorder
    ) { [journal] in journal.note($0) }
  }

  var clock: TestClock { time.clock }
  var timer: ManualTimer { time.frames }
  var eventTimer: ManualTimer { time.checks }
  var events: [String] { journal.events }
  var requests: [String] { journal.requests }
  var ending: BroadcastEnding? { journal.ending }
  var end: BroadcastEnd? { journal.end }
  /// Returns the trace of the broadcast. It requires a rig that was created with `records`.
  func recorded() throws -> Trace {
    try recorder?.finish()
    let folder = try #require(folder)
    return try Trace(contentsOf: folder("trace.jsonl"))
  }

  /// The error with which the extension has ended the broadcast; `nil` after another end.
  var error: NSError? {
    if case .byExtension(let error)? = ending { error } else { nil }
  }

  /// Starts, and waits for the first frame.
  func start() async {
    system.start()
    #expect(await eventually { self.timer.isRunning || self.end != nil })
    await settle()
  }

  /// Performs the words of a script: an event, `tick`, or a duration that advances the clock and performs the due events.
  /// Returns the handler's calls, the reported events, and the reason of the end.
  func outcome(of script: String) async throws -> [String] {
    await start()
    for word in script.split(separator: " ").map(String.init) {
      if word == "tick" {
        await tick()
      } else if let time = Duration(typed: word) {
        check(after: time)
      } else {
        system.perform(try DeviceEvent(text: word))
      }
      await settle()
    }
    #expect(await eventually { self.end != nil })
    let (calls, events) = (handler.calls.joined(separator: " "), events.joined(separator: ", "))
    return [calls, events, end?.reason ?? ""]
  }

  /// Ticks, and waits for the handler after each tick.
  func tick(_ count: Int = 1) async {
    for _ in 0..<count {
      clock.advance(by: .milliseconds(20))
      timer.tick()
      await settle()
    }
  }

  /// Advances the clock and ticks once, without waiting for the handler.
  func tick(after duration: Duration) {
    clock.advance(by: duration)
    timer.tick()
  }

  /// Advances the clock and performs what is due, `count` times.
  func check(after duration: Duration, _ count: Int = 1) {
    for _ in 0..<count {
      clock.advance(by: duration)
      eventTimer.tick()
    }
  }

  /// Ends the broadcast as the person does.
  func stop() async {
    system.perform("stop")
    await settle()
  }

  /// Waits until the handler has returned from its calls, and the system knows it.
  func settle() async {
    await withCheckedContinuation { done in
      system.delivery.call { _ in
      } completion: {
        done.resume()
      }
    }
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }
}
