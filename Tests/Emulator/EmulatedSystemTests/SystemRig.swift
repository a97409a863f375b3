import Foundation
import PixelAccess
import ReplayKit
import TestPatterns
import TestSupport
import Testing

@testable import EmulatedSystem

/// The clock, and what the system told.
@MainActor private final class Journal {
  var time: UInt64 = 1_000
  private(set) var events: [String] = []
  private(set) var report: BroadcastReport?

  func note(_ event: BroadcastSystem.Event) {
    switch event {
    case .started: events.append("started")
    case .paused: events.append("paused")
    case .resumed: events.append("resumed")
    case .happened(let event): events.append(event.text)
    case .refused(let event, let reason): events.append("\(event.text) refused: \(reason)")
    case .misuse(let misuse): events.append("misuse \(misuse.rawValue)")
    case .finished(let report):
      events.append("finished")
      self.report = report
    }
  }
}

/// A system with a clock and a timer of the test's own, and what it called and told.
@MainActor final class SystemRig {
  let timer = ManualTimer()
  let eventTimer = ManualTimer()
  let handler = RecordingHandler()
  let content: ScriptedContent
  private let journal = Journal()
  let screen: EmulatedScreen
  let system: BroadcastSystem

  init(
    content: ScriptedContent? = ScriptedContent(), limits: BroadcastSystem.Limits = .init(),
    orientation: CGImagePropertyOrientation = .up, setupInfo: [String: String] = [:],
    schedule: [ScheduledEvent] = []
  ) throws {
    self.content = content ?? ScriptedContent()
    // Without a script, a pattern, which has any size.
    let shown: any ScreenContent =
      try content
      ?? PatternContent(.bars, width: 18, height: 16, pixelFormat: fullRange, framesPerSecond: 50)
    let misuses = misuses
    screen = try EmulatedScreen(
      content: shown, pixelFormat: fullRange, orientation: orientation,
      onMisuse: { misuse in misuses.add(misuse) })
    system = BroadcastSystem(
      handler: handler, screen: screen, framesPerSecond: 50, setupInfo: setupInfo, schedule: schedule,
      limits: limits, timer: timer, eventTimer: eventTimer, now: { [journal] in journal.time }
    ) { [journal] in journal.note($0) }
  }

  /// What the screen told of the handler.
  let misuses = Recorder<HandlerMisuse>()

  var events: [String] { journal.events }
  var report: BroadcastReport? { journal.report }
  var time: UInt64 {
    get { journal.time }
    set { journal.time = newValue }
  }

  /// Starts, and waits for the first frame.
  func start() async {
    system.start()
    #expect(await eventually { self.timer.isRunning || self.report != nil })
    await settle()
  }

  /// Ticks, and waits for the handler each time.
  func tick(_ count: Int = 1) async {
    for _ in 0..<count {
      time += 20_000_000
      timer.tick()
      await settle()
    }
  }

  /// Ends it as the person does.
  func stop() async {
    system.stop()
    await settle()
  }

  /// Waits for the handler to have dealt with what it got, and for the system to have heard of it.
  func settle() async {
    await withCheckedContinuation { done in system.delivery.drain { done.resume() } }
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
  }
}
