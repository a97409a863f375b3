import BroadcastTesting
import ReplayKit
import TestSupport

/// Values that a handler has measured.
final class Times: Sendable {
  private let state = Mutex((differences: [Double](), folder: String?.none))

  var differences: [Double] { state.withLock { $0.differences } }
  var folder: String? { state.withLock { $0.folder } }

  func add(_ difference: Double) { state.withLock { $0.differences.append(difference) } }
  func note(folder: String?) { state.withLock { $0.folder = folder } }
}

/// Compares the timestamps of its samples with the clock of the device.
final class ClockHandler: RPBroadcastSampleHandler, @unchecked Sendable {
  private let times: Times

  init(_ times: Times) {
    self.times = times
    super.init()
    times.note(
      folder: FileManager.default.containerURL(
        forSecurityApplicationGroupIdentifier: "group.com.example.screenshare.dev")?.path)
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    let time = CMSampleBufferGetPresentationTimeStamp(sampleBuffer).seconds
    times.add(CACurrentMediaTime() - time)
    times.add(CMClockGetTime(CMClockGetHostTimeClock()).seconds - time)
  }
}

/// Processes its samples on a private queue, and ends the broadcast there after the thirtieth sample.
final class AsynchronousHandler: RPBroadcastSampleHandler, @unchecked Sendable {
  private let queue = DispatchQueue(label: "work")
  private var count = 0

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    queue.async { [self] in
      let end = ContinuousClock.now + .microseconds(500)
      while ContinuousClock.now < end {}
      withExtendedLifetime(sampleBuffer) { count += 1 }
      if count == 30 { finishBroadcastWithError(NSError(domain: "test", code: 7)) }
    }
  }
}

/// Posts a notification with each frame, and records the time of each arrival.
final class NotifyingHandler: RPBroadcastSampleHandler {
  private let times: Times

  init(_ times: Times) {
    self.times = times
    super.init()
    // UNSAFE: the address is not used.
    unsafe CFNotificationCenterAddObserver(
      CFNotificationCenterGetDarwinNotifyCenter(), UnsafeRawPointer(bitPattern: 8),
      { _, _, _, _, _ in times.add(CACurrentMediaTime()) }, "frame", nil, .deliverImmediately)
  }

  override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with type: RPSampleBufferType) {
    CFNotificationCenterPostNotification(
      CFNotificationCenterGetDarwinNotifyCenter(), CFNotificationName("frame"), nil, nil, true)
  }
}

/// Refuses to start its broadcast.
final class RefusingHandler: RPBroadcastSampleHandler {
  override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
    finishBroadcastWithError(NSError(domain: "test", code: 3))
  }
}

extension TestBroadcast {
  /// Starts, and performs an event after a time.
  func start(for time: Duration, then event: String? = nil) async throws {
    try await start()
    try await run(for: time, then: event)
  }

  func run(for time: Duration, then event: String?) async throws {
    try await run(for: time)
    if let event { try await perform(event) }
  }
}
