import Synchronization

/// The principal class of a broadcast upload extension: it gets the broadcast's events and its samples.
///
/// ```swift
/// class SampleHandler: RPBroadcastSampleHandler {
///   override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType) {
///     guard sampleBufferType == .video else { return }
///     let orientation = CMGetAttachment(
///       sampleBuffer, key: RPVideoSampleOrientationKey as CFString, attachmentModeOut: nil)
///   }
/// }
/// ```
///
/// The system calls one method at a time. A sample is valid until `processSampleBuffer(_:with:)` returns; its
/// pixels are then used again for a later one.
open class RPBroadcastSampleHandler: RPBroadcastHandler {
  private let finishAction = Mutex<(@Sendable (any Error) -> Void)?>(nil)

  /// The broadcast begins. `setupInfo` is what the extension's setup screen gave; `nil` when it came from the
  /// system's picker. Does nothing here; override it.
  open func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {}

  /// The user paused the broadcast: no samples until it resumes. Does nothing here; override it.
  open func broadcastPaused() {}

  /// The user resumed the broadcast. Does nothing here; override it.
  open func broadcastResumed() {}

  /// The user ended the broadcast. Does nothing here; override it.
  open func broadcastFinished() {}

  /// The system knows which app the screen shows first. Does nothing here; override it.
  open func broadcastAnnotated(withApplicationInfo applicationInfo: [AnyHashable: Any]) {}

  /// A sample is there, of a kind that `sampleBufferType` tells. Does nothing here; override it.
  open func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {}

  /// Ends the broadcast from within the extension; the user sees the error's text. May be called on any
  /// thread. Without a system to tell, as in a unit test of a handler, it does nothing.
  open func finishBroadcastWithError(_ error: any Error) {
    // Called outside of the lock, so that the action may call back into the handler.
    let action = finishAction.withLock { $0 }
    action?(error)
  }

  /// Sets what the emulated system does when the handler ends the broadcast; before `broadcastStarted`.
  /// The action is called on the thread that ended it, every time it is ended; `nil` detaches the system.
  package func onFinish(_ action: (@Sendable (any Error) -> Void)?) {
    finishAction.withLock { $0 = action }
  }
}
