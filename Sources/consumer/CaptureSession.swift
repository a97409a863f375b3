import CommandLineSupport
import ContainingApp
import Dispatch
import EmulatedSystem
import Foundation

/// A capture of the app's own screen: the emulated system and the app in one process, and what happens to them.
@MainActor
final class CaptureSession {
  private let system: InAppCapture
  private let provider: CaptureProvider
  private let coordinator: WatchCoordinator
  private let events: CaptureOptions
  private let ending: Ending

  /// Hears that the screen has nothing more to show.
  @MainActor private final class Ending {
    var coordinator: WatchCoordinator?
    var failure: ProgramFailure?

    /// A screen that broke off ends the capture by itself, and this says why; one that is at its end does not.
    func screenEnded(_ error: ScreenContentError?) {
      failure = error.map { ProgramFailure($0) }
      if error == nil { coordinator?.interrupt() }
    }
  }

  /// A capture that has not begun.
  init(
    _ options: ConsumerOptions, view: any WatchView, outputs: [any VideoOutput], showsLive: Bool
  ) throws(ProgramFailure) {
    let ending = Ending()
    do throws(ScreenContentError) {
      let (content, rate) = try options.capture.screen.makeContent()
      system = InAppCapture(
        screen: try options.capture.screen.makeScreen(content), framesPerSecond: rate,
        permission: options.capture.permission, onEndOfContent: { ending.screenEnded($0) })
    } catch {
      throw ProgramFailure(error)
    }
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

  /// Begins. `onEnd` is told once, with what went wrong if something did.
  func start(onEnd: @escaping (ProgramFailure?) -> Void) {
    system.install()
    coordinator.start { [ending] failure in onEnd(ending.failure ?? failure) }
    after(events.background) { $0.enterBackground() }
    after(events.interruption) { $0.system.interrupt() }
    after(events.secondStart) { $0.provider.start() }
  }

  /// Ends because somebody asked for it.
  func interrupt() { coordinator.interrupt() }

  /// The app leaves the screen: the system stops delivering, and the app is told by the system.
  func enterBackground() {
    system.enterBackground()
    provider.enterBackground()
  }

  /// The app is on the screen again.
  func enterForeground() {
    system.enterForeground()
    provider.enterForeground()
  }

  private func after(_ time: Duration?, _ action: @escaping @MainActor (CaptureSession) -> Void) {
    guard let time else { return }
    let nanoseconds = Int(min(time / .nanoseconds(1), 1e18))
    DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
      MainActor.assumeIsolated { if let self { action(self) } }
    }
  }
}
