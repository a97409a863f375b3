import Foundation
import ReplayKit
import Synchronization

/// A handler that posts a notification at its start, and observes the notification itself.
class EchoingHandler: RPBroadcastSampleHandler, @unchecked Sendable {
  private static let name = "com.example.probe.echo"
  private static let following = "com.example.probe.following"
  private let state = Mutex((posted: ContinuousClock.now, arrivals: 0))

  final var echo: (arrivals: Int, time: Duration) {
    state.withLock { ($0.arrivals, ContinuousClock.now - $0.posted) }
  }

  func arrived() {}
  func followed() {}

  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    observe(Self.name)
    observe(Self.following)
    state.withLock { $0.posted = .now }
    post()
  }

  final func post(following: Bool = false) {
    let name = CFNotificationName((following ? Self.following : Self.name) as CFString)
    CFNotificationCenterPostNotification(CFNotificationCenterGetDarwinNotifyCenter(), name, nil, nil, true)
  }

  private func observe(_ name: String) {
    // UNSAFE: the handler lives as long as its process.
    unsafe CFNotificationCenterAddObserver(
      CFNotificationCenterGetDarwinNotifyCenter(),
      UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()),
      { _, observer, name, _, _ in
        guard let observer = unsafe observer else { return }
        let handler = unsafe Unmanaged<EchoingHandler>.fromOpaque(observer).takeUnretainedValue()
        guard name?.rawValue == EchoingHandler.name else { return handler.followed() }
        handler.state.withLock { $0.arrivals += 1 }
        handler.arrived()
      }, name as CFString, nil, .deliverImmediately)
  }
}

/// Ends the broadcast if no notification has arrived after two seconds.
final class HopefulHandler: EchoingHandler, @unchecked Sendable {
  override func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) { if echo.arrivals == 0, echo.time > .seconds(2) { fail("There was no answer.") } }
}

/// Ends the broadcast if the first notification arrives more than 1.5 s after its post.
final class ImpatientHandler: EchoingHandler, @unchecked Sendable {
  override func arrived() {
    if echo.arrivals == 1, echo.time > .milliseconds(1500) { fail("It is too late.") }
  }
}

/// Crashes if a notification arrives twice.
final class OnceHandler: EchoingHandler, @unchecked Sendable {
  override func arrived() { precondition(echo.arrivals == 1, "A second answer.") }
}

/// Posts the notification twice, and ends the broadcast if only one has arrived after 1.5 s.
final class TallyHandler: EchoingHandler, @unchecked Sendable {
  private var hasPosted = false

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    // Two notifications in quick succession may be coalesced without any fault.
    if !hasPosted, echo.time > .milliseconds(150) {
      hasPosted = true
      post()
    }
    if echo.arrivals == 1, echo.time > .milliseconds(1500) { fail("One of two is missing.") }
  }
}

/// Crashes if the following notification arrives although the first one has not.
final class SequenceHandler: EchoingHandler, @unchecked Sendable {
  private var hasPosted = false

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    guard !hasPosted, echo.time > .milliseconds(1500) else { return }
    hasPosted = true
    post(following: true)
  }

  override func followed() { precondition(echo.arrivals > 0, "The first is missing.") }
}
