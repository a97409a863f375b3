import CommandLineSupport
import ContainingApp
import EmulatedSystem
import Foundation

/// A capture of the app's own screen: the emulated system and the app in one process, and the events of its script.
@MainActor
final class CaptureSession {
  private let system: InAppCapture
  private let provider: CaptureProvider
  private let coordinator: WatchCoordinator
  private let events: CaptureOptions
  private let ending: Ending

  /// Receives the end of the screen's content.
  @MainActor private final class Ending {
    var coordinator: WatchCoordinator?
    var failure: ProgramFailure?

    /// After an error the capture ends by itself; at the end of its content it must be ended.
    func screenEnded(_ error: ScreenContentError?) {
      failure = error.map { ProgramFailure($0) }
      if error == nil { coordinator?.interrupt() }
    }
  }

  init(
    _ options: ConsumerOptions, view: any WatchView, outputs: [VideoOutput], showsLive: Bool
  ) throws(ProgramFailure) {
    let ending = Ending()
    system = InAppCapture(
      screen: try options.capture.screen.makeScreen(), permission: options.capture.permission,
      onEndOfContent: { ending.screenEnded($0) })
    let call = VideoCall(
      outputSize: options.frames.outputSize, fit: options.frames.fit,
      framesPerSecond: VideoCall.captureFramesPerSecond)
    provider = CaptureProvider(call: call, verifies: options.frames.verify)
    coordinator = WatchCoordinator(
      services: Services(capturing: provider, into: call), view: view, outputs: outputs,
      goals: WatchGoals(
        duration: options.limits.duration, frames: options.limits.frames.map(UInt64.init),
        endsWithBroadcast: true),
      showsLive: showsLive)
    ending.coordinator = coordinator
    events = options.capture
    self.ending = ending
  }

  /// Starts the capture. Calls `onEnd` once, with the failure if there is one.
  func start(onEnd: @escaping (ProgramFailure?) -> Void) {
    system.install()
    coordinator.start { [ending] failure in onEnd(ending.failure ?? failure) }
    if let time = events.background { MainQueue.run(after: time) { [weak self] in self?.enterBackground() } }
    if let time = events.interruption {
      MainQueue.run(after: time) { [weak self] in self?.system.interrupt() }
    }
    if let time = events.secondStart { MainQueue.run(after: time) { [weak self] in self?.provider.start() } }
  }

  /// Ends the capture on request.
  func interrupt() { coordinator.interrupt() }

  /// Moves the app to the background: the system stops the samples and notifies the app.
  func enterBackground() {
    system.isInBackground = true
    provider.enterBackground()
  }

  /// Moves the app back to the screen.
  func enterForeground() {
    system.isInBackground = false
    provider.enterForeground()
  }
}
