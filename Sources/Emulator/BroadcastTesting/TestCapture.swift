import BroadcastExtension
import CommandLineSupport
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import Programs
import ReplayKit
import ScreenCapture
import VirtualDevice

/// A capture by ScreenCaptureKit under test: an app in this process, on a virtual clock.
///
/// ```swift
/// @MainActor @Test func theAppNoticesThatThePersonStops() async throws {
///   let sharing = ScreenSharing()
///   let capture = TestCapture { sharing.start() }
///   try await capture.start()
///   try await capture.run(for: .seconds(2))
///   try await capture.perform("stop")
///   #expect(!sharing.isSharing && capture.figures.framesDelivered > 100)
/// }
/// ```
/// The app uses `SCContentSharingPicker.shared`, in the call of the closure and in what follows from it. Docs/ScreenCaptureKit.md
/// says what the emulated phone does.
@MainActor
public final class TestCapture {
  /// What the person and the system do when the app shows the picker.
  public enum PickerAnswer: String, Sendable {
    /// The person chooses the whole display, or the app where the app asks for that alone.
    case display
    /// The person chooses the app.
    case app
    /// The person closes the picker.
    case cancel
    /// The person does not allow it: `userDeclined`.
    case declined
    /// The picker cannot be shown.
    case fails
    /// The person does nothing.
    case unanswered
  }

  /// The figures of what was delivered.
  public struct Figures: Equatable, Sendable {
    /// Frames that an output got.
    public var framesDelivered: UInt64
    /// Frames that no output got: five waited already, or the app held all buffers.
    public var framesDropped: UInt64
    /// Packets of audio that outputs got.
    public var audioDelivered: UInt64
    /// The code of the error that ended the last stream; `nil` if none did.
    public var endingCode: Int?
    /// The streams that started.
    public var starts: Int
  }

  /// Why a call of a test capture failed.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// What failed and the way out, then the timeline.
    public let description: String
  }

  private let app: @MainActor () async throws -> Void
  private let device: Device
  private let clock: VirtualClock
  private let pace: VirtualPace
  private let log: EventLog
  private let folder: TemporaryFolder
  private let arguments: [String]
  private let behaviour: ContentCapture.Behaviour
  private var capture: ContentCapture?

  /// How often the app's tasks get a turn for what follows from a call, before the call gives up: at least 3 ms each, and
  /// longer on a busy machine, on which the app takes longer too.
  private static let turns = 1_000
  /// The same for what follows from an end, for which there is no condition.
  private static let turnsAfterEnd = 50

  /// - Parameters:
  ///   - app: what the app does when the person taps its button, such as to show the picker. Called at each ``start()``, on the
  ///     main actor.
  ///   - microphone: whether the person turns the microphone on, where the picker shows its control.
  ///   - backgroundModes: the values of `UIBackgroundModes` of the app.
  public nonisolated init(
    screen: TestScreen = .pattern(.proof), picker: PickerAnswer = .display, microphone: Bool = false,
    backgroundModes: Set<String> = ["screen-capture", "audio"],
    app: @escaping @MainActor () async throws -> Void
  ) {
    self.app = app
    folder = TemporaryFolder(named: "capture-testing", diskSpace: nil)
    clock = VirtualClock()
    var options = screen.options
    options.ios = .streaming
    device = clock.makeDevice(root: folder.path, options)
    pace = VirtualPace(clock)
    log = EventLog(clock: clock)
    arguments = screen.arguments
    var behaviour = ContentCapture.Behaviour()
    behaviour.answer = EmulatedSystem.PickerAnswer(rawValue: picker.rawValue) ?? .display
    behaviour.turnsMicrophoneOn = microphone
    behaviour.backgroundModes = .init(backgroundModes)
    self.behaviour = behaviour
  }

  deinit { device.run { SCContentSharingPicker.shared.reset() } }

  /// Lets the app start to capture, and returns when a stream runs, or the person's answer was another one. A second call is
  /// a second start.
  public func start() async throws {
    let capture = try self.capture ?? makeCapture()
    self.capture = capture
    log.note("start")
    let result = Result()
    device.run {
      _ = Task { @MainActor in
        do { try await app() } catch { result.error = error }
        result.isDone = true
      }
    }
    let isAnswered = [.display, .app].contains(behaviour.answer)
    let starts = capture.figures.starts
    try await wait {
      result.error != nil || (result.isDone && !isAnswered) || capture.figures.starts > starts
    }
    if let error = result.error { throw error }
    guard !isAnswered || capture.figures.starts > starts else {
      throw failure("No stream started: the app showed no picker, or did not start the stream of its choice.")
    }
    // The app's tasks learn of the start on threads of their own.
    try await letTasksRun()
  }

  private final class Result {
    var error: (any Error)?
    var isDone = false
  }

  private func makeCapture() throws -> ContentCapture {
    guard case .run(let options) = try ProducerOptions.parse(arguments) else {
      throw failure("The screen cannot be made.")
    }
    let capture: ContentCapture
    do throws(ProgramFailure) {
      capture = try device.run { () throws(ProgramFailure) in
        try ContentCapture(
          options.screen, behaviour, on: device, time: clock.deviceTime,
          content: [.audioApp: ToneContent(), .audioMic: ToneContent()]
        ) { [log] event in
          switch event {
          case .happened(let event): log.happened(event.text)
          case .refused(let event, let reason): log.problem("\(event.text): \(reason)", from: .app)
          case .picker(let text): log.happened(text)
          case .endOfContent: log.happened("end of the content")
          }
        }
      }
    } catch {
      throw failure(error.message)
    }
    pace.screen = capture.screen
    return capture
  }

  /// Lets `duration` pass.
  public func run(for duration: Duration) async throws {
    try await live { try await self.pace.run(for: duration) }
  }

  /// Makes something happen to the capture from outside: an event as in `consumer capture --framework screencapturekit --at`,
  /// such as `rotate:left`, `stop` or `background`.
  public func perform(_ event: String) async throws {
    guard let capture else {
      throw failure("'\(event)' is for a capture that was started; call start() first.")
    }
    let parsed: CaptureEvent
    do throws(UsageError) { parsed = try CaptureEvent(text: event) } catch { throw failure(error.message) }
    guard !parsed.traits.contains(.needsProcess) else {
      throw failure("'\(event)' would happen to the process of the tests.")
    }
    let wasRunning = capture.isRunning
    if let refusal = device.run({ capture.perform(parsed) }) {
      throw failure("'\(event)' was not possible: \(refusal)")
    }
    try await live { try await self.pace.settle() }
    // And of an end.
    if wasRunning, !capture.isRunning { try await letTasksRun() }
  }

  /// Whether a stream runs.
  public var isCapturing: Bool { capture?.isRunning == true }

  /// What was delivered so far.
  public var figures: Figures {
    let figures = capture?.figures ?? ContentCapture.Figures()
    return Figures(
      framesDelivered: figures.framesDelivered, framesDropped: figures.framesDropped,
      audioDelivered: figures.audioDelivered, endingCode: figures.ending?.rawValue, starts: figures.starts)
  }

  /// What happened so far.
  public var timeline: Timeline { log.timeline }

  private func wait(until condition: () -> Bool) async throws {
    for _ in 0..<Self.turns where !condition() {
      try await Task.sleep(for: .milliseconds(3))
      _ = try await live { try await self.pace.step(until: self.clock.now + .milliseconds(1)) }
    }
  }

  private func letTasksRun() async throws {
    for _ in 0..<Self.turnsAfterEnd {
      try await Task.sleep(for: .milliseconds(1))
      try await live { try await self.pace.settle() }
    }
  }

  private func live<Value: Sendable>(_ body: @MainActor () async throws -> Value) async throws -> Value {
    do { return try await body() } catch is VirtualPace.Hang {
      throw failure("A call of the app has not returned for 20 s of real time.")
    }
  }

  private func failure(_ text: String) -> Failure { Failure(description: "\(text)\n\(log.timeline)") }
}
