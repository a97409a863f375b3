import CommandLineSupport
import ContainingApp
import EmulatedDevice
import EmulatedSystem
import Foundation
import Platform
import Programs
import ReplayKit
import ScreenBroadcast
import VirtualDevice

extension ConsumerProgram {
  /// Captures the screen: the emulated system and the app in one process, and the events of the options.
  func capture(_ options: ConsumerOptions) throws(ProgramFailure) {
    let device = Device(options.capture.screen.identity, role: .app, denied: options.capture.screen.denied)
    Device.install(device)
    let call = VideoCall(
      outputSize: options.frames.outputSize, fit: options.frames.fit,
      framesPerSecond: Int32(options.framesPerSecond))
    let keepsFrames =
      options.frames.y4m != nil || options.snapshot != nil || options.frames.serve != nil
    let console = console(options)
    let onEvent: @MainActor (CaptureNews) -> Void = { [weak self] event in
      switch event {
      case .endOfContent(let error): self?.contentEnded(error)
      case .refused(let event, let reason): console.report("\(event): \(reason)")
      case .asked(let text): if options.capture.framework == .screencapturekit { console.say(text) }
      case .happened: break
      }
    }
    switch options.capture.framework {
    case .replaykit:
      let system = try InAppCapture(options.capture, on: device, content: { nil }, onEvent: onEvent)
      let provider = RecorderProvider(call: call, verifies: options.frames.verify, copiesFrames: keepsFrames)
      system.requestStart = { provider.start() }
      try follow(provider, in: call, options, on: system, options.capture.recorderSchedule)
    case .screencapturekit:
      let system = try ContentCapture(
        options.capture.screen, options.capture.behaviour, on: device, onEvent: onEvent)
      let provider = StreamProvider(call: call, verifies: options.frames.verify, copiesFrames: keepsFrames)
      system.requestStart = { provider.start() }
      try follow(provider, in: call, options, on: system, options.capture.streamSchedule)
    }
  }

  /// Runs a scenario on both paths and prints what differs.
  func compare(_ options: ConsumerOptions) {
    let events = options.capture.script
    let script = PathComparison.Script(
      screen: options.capture.screen, events: events, duration: (events.last?.time ?? .zero) + .seconds(2),
      behaviour: options.capture.behaviour)
    Task {
      var failure: ProgramFailure?
      do {
        let folder = try TemporaryFolder("consumer-compare")
        let comparison = try await PathComparison.run(script, in: folder.path)
        if let lines = options.common.jsonLines {
          for row in comparison.rows { try lines.write(row) }
        } else {
          console(options).say(comparison.text)
        }
      } catch {
        failure =
          error as? ProgramFailure ?? ProgramFailure(.internalError, "The comparison failed: \(error).")
      }
      ConsumerOptions.program.exit(failure)
    }
  }

  /// After an error a capture ends by itself; at the end of its content it must be ended.
  private func contentEnded(_ error: ScreenContentError?) {
    screenFailure = error.map { ProgramFailure($0) }
    if error == nil { coordinator?.interrupt() }
  }

  /// Follows a capture, to which the events of the options, of signals and of the page happen.
  private func follow<System: EventSystem>(
    _ provider: any WatchedProvider, in call: VideoCall, _ options: ConsumerOptions, on system: System,
    _ schedule: [ScheduledSystemEvent<System>]
  ) throws(ProgramFailure) {
    let report = try report(options, nil)
    let page = try page(options, for: system, console(options), report: report)
    try follow(provider, in: call, options, page: page, report: report)
    system.lead(schedule, signals)
  }
}
