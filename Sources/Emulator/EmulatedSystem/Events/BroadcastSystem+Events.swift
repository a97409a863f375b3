import Foundation
import ReplayKit

extension BroadcastSystem {
  /// Lets something happen now, and reports that it did or why it could not. Returns why it could not.
  @discardableResult
  public func perform(_ event: DeviceEvent) -> String? {
    guard phase != .idle else { return "The broadcast has not begun." }
    guard phase != .over else { return "The broadcast is over." }
    do throws(Refusal) {
      try apply(event)
    } catch {
      onEvent(.refused(event, error.reason))
      return error.reason
    }
    switch event {
    // They are told by what comes of them.
    case .pause, .resume, .stop, .crash, .error: break
    default: onEvent(.happened(event))
    }
    return nil
  }

  /// Why something cannot happen.
  private struct Refusal: Error {
    let reason: String
    init(_ reason: String) { self.reason = reason }
  }

  private func apply(_ event: DeviceEvent) throws(Refusal) {
    switch event {
    case .pause:
      try checkIsLive()
      guard pause(for: .person) else { throw Refusal("The broadcast is paused already.") }
    case .resume:
      guard resume(from: .person) else { throw Refusal("The broadcast is not paused.") }
    case .indicator(let answer):
      try checkIsLive()
      guard ask(answer) else { throw Refusal("The person is being asked already.") }
    case .lock:
      try checkIsLive()
      guard pause(for: .lock) else { throw Refusal("The device is locked already.") }
    case .unlock:
      guard resume(from: .lock) else { throw Refusal("The device is not locked.") }
    case .call: try interruptAudio(true, "The phone is in a call already.")
    case .hangUp: try interruptAudio(false, "There is no phone call.")
    case .stop: stop()
    case .error(let code): end(with: code)
    case .annotate(let identifier):
      delivery.call {
        $0.broadcastAnnotated(
          withApplicationInfo: [RPApplicationInfoBundleIdentifierKey: identifier])
      }
    case .rotate(let orientation): screen.orientation = orientation
    case .resize(let size):
      do {
        guard try screen.resize(to: size) else {
          throw Refusal("A clip has a size of its own; use a pattern.")
        }
      } catch let refusal as Refusal {
        throw refusal
      } catch {
        throw Refusal("\(error).")
      }
    case .still(let time): pacer.standStill(until: self.time(in: time))
    case .rate(let rate): setRate(rate)
    case .skip(let count): pacer.skip(count)
    case .burst(let count): pacer.holdBack(count)
    case .slow(let time): delivery.delay = time
    case .allocate(let mebibytes):
      // On a thread of its own, as the memory must grow also while the handler is held up.
      DispatchQueue.global().async { ExtensionMemory.allocate(mebibytes << 20) }
    case .crash: kill(getpid(), SIGKILL)
    }
  }

  private func interruptAudio(_ isInterrupted: Bool, _ refusal: String) throws(Refusal) {
    guard isInCall != isInterrupted else { throw Refusal(refusal) }
    isInCall = isInterrupted
    for sound in audio { sound.isInterrupted = isInterrupted }
  }

  private func checkIsLive() throws(Refusal) {
    guard phase == .live else { throw Refusal("The broadcast has not started yet.") }
  }

  /// Has the extension end itself, on a thread of its own as an extension may, also while it is being started; but not
  /// before that has begun.
  private func end(with code: RPRecordingErrorCode) {
    guard delivery.hasBegun else {
      return DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(1)) { [weak self] in
        MainActor.assumeIsolated { self?.end(with: code) }
      }
    }
    // The framework's class is not Sendable, and this call is allowed on any thread.
    nonisolated(unsafe) let handler = handler
    DispatchQueue.global().async { unsafe handler.finishBroadcastWithError(code.error) }
  }
}
