import Foundation
import ReplayKit
import Synchronization

/// A handler that posts a notification at its start, which it observes itself.
class EchoingHandler: RPBroadcastSampleHandler, @unchecked Sendable {
  private static let name = "com.example.probe.echo"
  private let state = Mutex((posted: ContinuousClock.now, arrivals: 0))

  /// The number of arrivals, and the time since the post.
  final var echo: (arrivals: Int, time: Duration) {
    state.withLock { ($0.arrivals, ContinuousClock.now - $0.posted) }
  }

  /// The notification has arrived.
  func arrived() {}

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    let center = CFNotificationCenterGetDarwinNotifyCenter()
    // UNSAFE: the handler lives as long as its process.
    unsafe CFNotificationCenterAddObserver(
      center, UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()),
      { _, observer, _, _, _ in
        guard let observer = unsafe observer else { return }
        let handler = unsafe Unmanaged<EchoingHandler>.fromOpaque(observer).takeUnretainedValue()
        handler.state.withLock { $0.arrivals += 1 }
        handler.arrived()
      }, Self.name as CFString, nil, .deliverImmediately)
    state.withLock { $0.posted = .now }
    CFNotificationCenterPostNotification(center, CFNotificationName(Self.name as CFString), nil, nil, true)
  }
}

/// Ends the broadcast when no notification has arrived after four seconds.
final class HopefulHandler: EchoingHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) { if echo.arrivals == 0, echo.time > .seconds(4) { fail("There was no answer.") } }
}

/// Ends the broadcast when a notification arrives more than 1.5 s after its post, unless one had arrived before.
final class ImpatientHandler: EchoingHandler, @unchecked Sendable {
  override func arrived() {
    if echo.arrivals == 1, echo.time > .milliseconds(1500) { fail("It is too late.") }
  }
}

/// Crashes when a notification arrives twice.
final class OnceHandler: EchoingHandler, @unchecked Sendable {
  override func arrived() { precondition(echo.arrivals == 1, "A second answer.") }
}
