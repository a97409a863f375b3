import BroadcastExtension
import CommandLineSupport
import EmulatedCapture
import EmulatedDevice
import EmulatedSystem
import Foundation
import LaunchedPrograms
import Platform
import ReplayKit
import ScreenCapture
import VirtualDevice

@_exported import struct EmulatedCapture.CaptureFigures
@_exported import enum EmulatedCapture.CapturePermission
@_exported import enum EmulatedCapture.PickerAnswer

/// A capture of the screen by an app under test, in this process, on a virtual clock.
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
/// In the closure and in work that follows from it, the app uses `SCContentSharingPicker.shared`, or
/// `RPScreenRecorder.shared()` with the parameter `recorder`. Docs/ScreenCaptureKit.md describes the behaviour of the
/// emulated phone.
@MainActor
public final class TestCapture {
  /// The response of the person or the system when the app shows the picker.
  public typealias PickerAnswer = EmulatedCapture.PickerAnswer

  /// The reason why a call of a test capture failed.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The problem and the fix, followed by the timeline.
    public let description: String
  }

  private let app: @MainActor () async throws -> Void
  private let device: Device
  private let clock: VirtualClock
  private let pace: VirtualClockDriver
  private let log: EventLog
  private let folder: TemporaryFolder
  private let arguments: [String]
  private let behaviour: ContentCapture.Behaviour
  /// The answer to the app's request to the recorder; `nil` for ScreenCaptureKit.
  private let recorder: CapturePermission?
  private var capture: (any CaptureSystem)?

  /// How often a call lets the app's tasks run before it gives up waiting. Each turn takes at least 3 ms, and longer on an
  /// overloaded host, which also delays the app.
  private static let turns = 1_000
  /// The number of turns after a start or an end, for which there is no condition to wait for.
  private static let turnsAfterEnd = 50

  /// Creates a capture with ScreenCaptureKit.
  ///
  /// - Parameters:
  ///   - app: runs when the person taps the app's button, for example to show the picker. Called at each ``start()``, on
  ///     the main actor.
  ///   - microphone: whether the person turns the microphone on if the picker shows its control.
  ///   - backgroundModes: the app's `UIBackgroundModes`.
  public nonisolated convenience init(
    screen: TestScreen = .pattern(.proof), picker: PickerAnswer = .display, microphone: Bool = false,
    backgroundModes: Set<String> = ["screen-capture", "audio"],
    app: @escaping @MainActor () async throws -> Void
  ) {
    var behaviour = ContentCapture.Behaviour()
    behaviour.answer = picker
    behaviour.turnsMicrophoneOn = microphone
    behaviour.backgroundModes = .init(backgroundModes)
    self.init(screen, behaviour, nil, app)
  }

  /// Creates a capture with `RPScreenRecorder`.
  public nonisolated convenience init(
    screen: TestScreen = .pattern(.proof), recorder: CapturePermission,
    app: @escaping @MainActor () async throws -> Void
  ) { self.init(screen, ContentCapture.Behaviour(), recorder, app) }

  private nonisolated init(
    _ screen: TestScreen, _ behaviour: ContentCapture.Behaviour, _ recorder: CapturePermission?,
    _ app: @escaping @MainActor () async throws -> Void
  ) {
    self.app = app
    self.behaviour = behaviour
    self.recorder = recorder
    folder = TemporaryFolder(named: "capture-testing", diskSpace: nil)
    clock = VirtualClock()
    var options = screen.options
    if recorder == nil { options.ios = .streaming }
    device = clock.makeDevice(root: folder.path, options)
    pace = VirtualClockDriver(clock)
    log = EventLog(clock: clock)
    arguments = screen.arguments
  }

  deinit { device.run { SCContentSharingPicker.shared.reset() } }

  /// Starts a capture in the app. Returns once the capture is running, or after the app's closure if the person does not allow
  /// it. A second call is a second start.
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
    let isAnswered =
      recorder.map { [.granted, .withoutMicrophone, .stopUnanswered].contains($0) }
      ?? [.display, .app].contains(behaviour.answer)
    let starts = capture.figures.starts
    try await wait {
      result.error != nil || (result.isDone && !isAnswered) || capture.figures.starts > starts
    }
    if let error = result.error { throw error }
    guard !isAnswered || capture.figures.starts > starts else {
      throw failure(
        recorder == nil
          ? "No stream started: the app showed no picker, or did not start the stream of its choice."
          : "No capture started: the app did not ask RPScreenRecorder.shared() for one.")
    }
    // The app's tasks learn of the start on their own threads.
    try await letTasksRun()
  }

  private final class Result {
    var error: (any Error)?
    var isDone = false
  }

  private func makeCapture() throws -> any CaptureSystem {
    guard case .run(let options) = try ProducerOptions.parse(arguments) else {
      throw failure("The screen cannot be created.")
    }
    let onEvent: @MainActor (CaptureUpdate) -> Void = { [log] event in
      switch event {
      case .happened(let text), .asked(let text): log.happened(text)
      case .refused(let event, let reason): log.problem("\(event): \(reason)", from: .app)
      case .endOfContent: log.happened("end of the content")
      }
    }
    var capturing = CaptureOptions()
    (capturing.screen, capturing.behaviour, capturing.permission) = (options.screen, behaviour, recorder)
    capturing.framework = recorder == nil ? .screencapturekit : .replaykit
    let capture: any CaptureSystem
    do throws(ProgramFailure) {
      capture = try device.run { () throws(ProgramFailure) in
        try capturing.makeSystem(
          on: device, time: clock.deviceTime, content: EmulatedAudio.tone(), onEvent: onEvent)
      }
    } catch {
      throw failure(error.message)
    }
    pace.screen = capture.screen
    return capture
  }

  /// Waits until `duration` has passed for the capture.
  public func run(for duration: Duration) async throws {
    try await live { try await self.pace.run(for: duration) }
  }

  /// Performs an event on the capture from outside, as `capturer --at` does: for example `rotate:left`, `stop` or
  /// `background`; with `RPScreenRecorder` for example `interrupt`.
  public func perform(_ event: String) async throws {
    guard let capture else {
      throw failure("'\(event)' needs a capture; call start() first.")
    }
    let wasRunning = capture.isRunning
    do throws(UsageError) {
      if let refusal = try device.run({ () throws(UsageError) in try capture.perform(text: event) }) {
        throw UsageError("'\(event)' was not possible: \(refusal)")
      }
    } catch { throw failure(error.message) }
    try await live { try await self.pace.settle() }
    // The app's tasks learn of an end on their own threads, too.
    if wasRunning, !capture.isRunning { try await letTasksRun() }
  }

  /// Runs code as the app, for example what the app's own Stop button calls. Returns after the app's tasks have run.
  ///
  /// ```swift
  /// try await capture.asApp { sharing.stop() }
  /// ```
  @discardableResult
  public func asApp<Value>(_ body: @escaping @MainActor () async throws -> Value) async throws -> Value {
    let answer = Answer<Value>()
    device.run {
      _ = Task { @MainActor in
        do { answer.result = .success(try await body()) } catch { answer.result = .failure(error) }
      }
    }
    try await wait { answer.result != nil }
    try await letTasksRun()
    guard let result = answer.result else { throw failure("The app's code has not returned.") }
    return try result.get()
  }

  @MainActor private final class Answer<Value> {
    var result: Swift.Result<Value, any Error>?
  }

  /// Whether a capture is running.
  public var isCapturing: Bool { capture?.isRunning == true }

  /// The statistics of the delivery so far.
  public var figures: CaptureFigures { capture?.figures ?? CaptureFigures() }

  /// The events so far.
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
    do { return try await body() } catch is VirtualClockDriver.Hang {
      throw failure("A call of the app has not returned for 20 s of real time.")
    }
  }

  private func failure(_ text: String) -> Failure { Failure(description: "\(text)\n\(log.timeline)") }
}
