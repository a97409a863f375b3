import AppProgram
import CapturingApp
import CommandLineSupport
import ContainingApp
import EmulatedCapture
import EmulatedDevice
import EmulatedSystem
import LivePage

/// Captures the screen: the emulated system and the app run in one process, with the events of the options.
@MainActor
final class CapturerProgram {
  private var program: WatchProgram?

  /// Starts the capture of `arguments`. It continues on the main queue.
  func run(_ arguments: [String]) {
    CapturerOptions.program.run(arguments) { options throws(ProgramFailure) in
      let program = WatchProgram(
        "capturer", options.common, options.showing, framesPerSecond: options.framesPerSecond
      ) { CapturerOptions.program.exit($0) }
      self.program = program
      try capture(options, program)
    }
  }

  private func capture(_ options: CapturerOptions, _ program: WatchProgram) throws(ProgramFailure) {
    let capture = options.capture
    let frames = options.showing.frames
    let device = Device(capture.screen.identity, role: .app, denied: capture.screen.denied)
    Device.install(device)
    let call = VideoCall(
      outputSize: frames.outputSize, fit: frames.fit, framesPerSecond: Int32(options.framesPerSecond))
    let keepsFrames = frames.y4m != nil || options.showing.snapshot != nil || frames.serve != nil
    let onEvent: @MainActor (CaptureUpdate) -> Void = { [weak self] event in
      switch event {
      case .endOfContent(let error): self?.contentEnded(error)
      case .refused(let event, let reason): program.console.report("\(event): \(reason)")
      case .asked(let text): if capture.framework == .screencapturekit { program.console.say(text) }
      case .happened: break
      }
    }
    let system = try capture.makeSystem(on: device, signals: program.signals, onEvent: onEvent)
    let provider: any WatchedProvider =
      capture.framework == .replaykit
      ? RecorderProvider(call: call, verifies: frames.verify, copiesFrames: keepsFrames)
      : StreamProvider(call: call, verifies: frames.verify, copiesFrames: keepsFrames)
    system.requestStart = { provider.start() }
    try follow(provider, in: call, options, on: system, program)
  }

  /// Handles the end of the content. The capture ends by itself after an error only; otherwise the program must end it.
  private func contentEnded(_ error: ScreenContentError?) {
    program?.screenFailure = error.map { ProgramFailure($0) }
    if error == nil { program?.coordinator?.interrupt() }
  }

  /// Follows a capture. It is subject to the events of the options, of signals and of the page.
  private func follow<System: CaptureSystem>(
    _ provider: any WatchedProvider, in call: VideoCall, _ options: CapturerOptions, on system: System,
    _ program: WatchProgram
  ) throws(ProgramFailure) {
    let report = program.report(
      of: WatchReport.Subject(
        title: "capturer", commandLine: CommonOptions.commandLine, container: nil,
        device: "\(Device.current.identity)", pollsPerSecond: nil, flagFile: nil, statusInterval: .zero))
    let page = try program.page(
      SystemEvent<System>.actions, report: report,
      run: PageRun(
        group: nil, serve: program.commandLine, options: nil, device: Device.current.profile.name,
        verifies: options.showing.frames.verify)
    ) { text throws(UsageError) in
      let event = try SystemEvent<System>(text: text)
      return LivePage.Command(event.text, name: event.name) { system.perform(event) }
    }
    try program.follow(
      provider, in: call, counting: "samples", page: page, report: report, wait: options.wait,
      endsWithBroadcast: true)
  }
}
