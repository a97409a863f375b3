import CommandLineSupport
import EmulatedDevice
import EmulatedSystem

/// The system of an app that captures its screen, by either framework.
@MainActor
package protocol CaptureSystem: EventSystem {
  var screen: EmulatedScreen { get }
  /// Whether a capture runs.
  var isRunning: Bool { get }
  var figures: CaptureFigures { get }
  /// The app requests a capture, for the event `start-again`.
  var requestStart: @MainActor () -> Void { get set }
  /// Called on the main queue.
  var onEvent: @MainActor (CaptureNews) -> Void { get }
}

/// What a capture reports while it runs.
package enum CaptureNews: Sendable {
  case happened(String)
  case refused(String, reason: String)
  /// The app asked for a capture, and what came of it.
  case asked(String)
  /// The screen's content has ended, with its error if it failed.
  case endOfContent(ScreenContentError?)
}

extension CaptureSystem {
  /// Makes an event happen now, and reports it or its refusal. Returns the reason of a refusal, else `nil`.
  @discardableResult
  package func perform(_ event: SystemEvent<Self>) -> String? {
    do throws(EventRefusal) {
      try event.happen(self)
      onEvent(.happened(event.text))
      return nil
    } catch {
      onEvent(.refused(event.text, reason: error.reason))
      return error.reason
    }
  }

  /// The same in the process of tests, to which nothing may happen.
  package func perform(text: String) throws(UsageError) -> String? {
    let event = try SystemEvent<Self>(text: text)
    guard !event.traits.contains(.needsProcess) else { return "It would happen to the process of the tests." }
    return perform(event)
  }
}
