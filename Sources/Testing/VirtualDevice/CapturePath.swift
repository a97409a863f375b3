import CapturingApp
import CommandLineSupport
import ContainingApp
import EmulatedCapture
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import ScreenCapture

/// A run of a script on one path.
@MainActor
protocol CapturePath: AnyObject {
  var clock: VirtualClock { get }
  var pace: VirtualPace { get }
  var recorder: TraceRecorder { get }
  var app: VirtualApp { get }
  /// What says that the screen rests.
  var rest: String { get }
  func start() async throws
  var device: Device { get }
  /// Makes an event happen; returns why it did not.
  func perform(_ event: String) -> String?
  /// How the capture ended; `nil` while it runs.
  var ending: String? { get }
}

extension CapturePath {
  func run(_ script: PathComparison.Script) async throws -> PathRecord {
    try await start()
    let start = clock.now
    var notes: [String?] = []
    for event in script.events {
      try await pace.run(for: event.time - (clock.now - start))
      let wasOver = ending != nil
      let refusal = wasOver ? "over" : device.run { perform(event.text) }
      try await pace.settle()
      notes.append(refusal ?? ending.map { "ends: \($0)" })
    }
    try await pace.run(for: max(.zero, script.duration - (clock.now - start)))
    let lines = try recorder.finish()
    let effects = zip(script.events, notes).map { event, note in
      note ?? PathRecord.effect(of: Int64((start + event.time).nanoseconds), in: lines)
    }
    return PathRecord(
      lines: lines, summary: app.summary, effects: effects, ending: ending ?? "runs on", rest: rest)
  }
}

/// The article's extension and app.
@MainActor
final class BroadcastPath: CapturePath {
  let device: Device
  let clock: VirtualClock
  let pace: VirtualPace
  let recorder: TraceRecorder
  let app: VirtualApp
  private var system: BroadcastSystem?
  private(set) var ending: String?
  let rest = "no sample"

  init(_ script: PathComparison.Script, folder: String) throws {
    let clock = VirtualClock()
    let device = clock.makeDevice(root: folder, script.screen)
    let container = try AppGroupContainer(root: folder, group: "group.com.example.comparison")
    try container.prepare()
    let recorder = try TraceRecorder(clock: clock, path: nil, keepsLines: true)
    (self.device, self.clock, self.recorder, pace) = (device, clock, recorder, VirtualPace(clock))
    app = device.run {
      VirtualApp(clock: clock, note: { _, _ in }) {
        BroadcastProvider(container: container, call: $0, clock: clock)
      }
    }
    let system = try device.run {
      try BroadcastSystem(
        on: device, screen: script.screen,
        audio: [RPSampleBufferType.audioApp, .audioMic].map { EmulatedAudio(type: $0, content: nil) },
        time: clock.deviceTime, recorder: recorder, container: container
      ) { _ in
        SampleHandler()
      } onEvent: { [weak self] event in
        guard case .finished(let report) = event else { return }
        self?.pace.screen = nil
        self?.ending = report.dialog ?? "broadcastFinished"
      }
    }
    self.system = system
    pace.screen = system.screen
  }

  func start() async throws {
    device.run { system?.start() }
    try await pace.settle()
  }

  func perform(_ event: String) -> String? {
    // The extension does not see where its app is.
    if ["background", "foreground"].contains(event) { return nil }
    do throws(UsageError) { return system?.perform(try DeviceEvent(text: event)) } catch {
      return "no such event"
    }
  }
}

/// An app with a stream.
@MainActor
final class StreamPath: CapturePath {
  let device: Device
  let clock: VirtualClock
  let pace: VirtualPace
  let recorder: TraceRecorder
  let app: VirtualApp
  let rest: String
  private let capture: ContentCapture

  init(_ script: PathComparison.Script, folder: String) throws {
    let clock = VirtualClock()
    let device = clock.makeDevice(root: folder, script.screen)
    let recorder = try TraceRecorder(clock: clock, path: nil, keepsLines: true)
    (self.device, self.clock, self.recorder, pace) = (device, clock, recorder, VirtualPace(clock))
    rest = script.behaviour.deliversIdle ? "samples with the status idle" : "no sample"
    capture = try device.run {
      try ContentCapture(
        script.screen, script.behaviour, on: device, time: clock.deviceTime, recorder: recorder)
    }
    app = device.run {
      VirtualApp(clock: clock, note: { _, _ in }) { StreamProvider(call: $0, clock: clock) }
    }
    pace.screen = capture.screen
  }

  /// The app has shown the picker; the person's answer starts the stream.
  func start() async throws {
    let limit = clock.now + .seconds(5)
    while !capture.isRunning, try await pace.step(until: limit) {}
  }

  func perform(_ event: String) -> String? {
    do throws(UsageError) { return capture.perform(try CaptureEvent(text: event)) } catch {
      return "no such event"
    }
  }

  var ending: String? { capture.figures.ending.map { "\($0), \($0.rawValue)" } }
}
