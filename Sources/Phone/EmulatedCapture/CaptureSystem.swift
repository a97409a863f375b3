import CommandLineSupport
import Dispatch
import EmulatedDevice
import EmulatedSystem

/// The emulated system behind an app that captures its screen with either framework.
@MainActor
package protocol CaptureSystem: EventSystem {
  var screen: EmulatedScreen { get }
  nonisolated var time: DeviceTime { get }
  var isRunning: Bool { get }
  var figures: CaptureFigures { get }
  /// Makes the app request a capture, for the event `start-again`.
  var requestStart: @MainActor () -> Void { get set }
  /// Called on the main queue.
  var onEvent: @MainActor (CaptureUpdate) -> Void { get }
}

/// A change that a capture reports while it runs.
package enum CaptureUpdate: Sendable {
  case happened(String)
  case refused(String, reason: String)
  /// The app requested a capture. The text has the result.
  case asked(String)
  /// The screen's content has ended; with an error if it failed.
  case endOfContent(ScreenContentError?)
}

extension CaptureSystem {
  /// Whether the app has left the screen, so that no sample comes until it returns.
  var isInBackground: Bool { device.state.app.isInBackground }

  package nonisolated func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    time.enqueue(queue, nil, body)
  }

  /// Calls `completion` on the main queue after the calls in progress have returned.
  static func wait<Receiver>(
    for deliveries: [SampleDelivery<Receiver>], _ time: DeviceTime,
    _ completion: @escaping @MainActor @Sendable () -> Void
  ) {
    guard let delivery = deliveries.last else { return completion() }
    delivery.call { _ in
    } completion: {
      time.enqueue(.main, nil) {
        MainActor.assumeIsolated { wait(for: deliveries.dropLast(), time, completion) }
      }
    }
  }

  /// Performs an event, and reports that it happened or was refused. Returns the reason if it was refused, otherwise `nil`.
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

  /// Like ``perform(_:)``, but refuses events that would affect the test process.
  package func perform(text: String) throws(UsageError) -> String? {
    let event = try SystemEvent<Self>(text: text)
    guard !event.traits.contains(.needsProcess) else { return "It would affect the process of the tests." }
    return perform(event)
  }
}
