import Synchronization

open class RPBroadcastHandler: NSObject, KeyValueObserver {
  private let hasRequest = Atomic(false)

  /// Called before `broadcastStarted`. An override calls `super`, or ReplayKit has no request.
  open func beginRequest(with context: NSExtensionContext) { hasRequest.store(true, ordering: .relaxed) }

  /// Begins the request for the emulated system. Returns whether this class got it, and not an override alone.
  package func launch() -> Bool {
    beginRequest(with: NSExtensionContext())
    return hasRequest.load(ordering: .relaxed)
  }

  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}
}

/// The system calls one method at a time, on a queue of its own. A sample keeps its picture as long as it is
/// held; the system has seven pixel buffers, and delivers no video while a handler holds all of them.
open class RPBroadcastSampleHandler: RPBroadcastHandler {
  private let system = Mutex(System())

  private struct System {
    var finishAction: (@Sendable ((any Error)?) -> Void)?
    var wasAttached = false
    /// The end of a handler that ends the broadcast before there is a system, in its `init()`.
    var earlyEnd: EarlyEnd?
  }

  private struct EarlyEnd: Sendable { let error: (any Error)? }

  /// `setupInfo` is `nil` after a start from the system's picker.
  open func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {}
  open func broadcastPaused() {}
  open func broadcastResumed() {}
  open func broadcastFinished() {}
  open func broadcastAnnotated(withApplicationInfo applicationInfo: [AnyHashable: Any]) {}

  open func processSampleBuffer(
    _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
  ) {}

  /// Callable on any thread. Without a system, as in a unit test of a handler, it does nothing; a call in
  /// `init()` ends the broadcast at its start.
  open func finishBroadcastWithError(_ error: any Error) { end(with: error) }

  /// Sets what the emulated system does when the handler ends the broadcast; before `broadcastStarted`. The action runs
  /// on the thread that ends the broadcast, at every call; `nil` detaches the system.
  package func onFinish(_ action: (@Sendable ((any Error)?) -> Void)?) {
    let early = system.withLock { system in
      defer { system.earlyEnd = nil }
      (system.finishAction, system.wasAttached) = (action, true)
      return system.earlyEnd
    }
    if let early { action?(early.error) }
  }

  fileprivate final func end(with error: (any Error)?) {
    // Called outside of the lock: the action may call the handler.
    let action = system.withLock { system in
      if !system.wasAttached, system.earlyEnd == nil { system.earlyEnd = EarlyEnd(error: error) }
      return system.finishAction
    }
    action?(error)
  }
}

/// Ends the broadcast from within the extension without an error, and so without the system's dialog.
///
/// ReplayKit declares no such function. Public code has it under this name as an Objective-C helper, which passes `nil` to
/// `-[RPBroadcastSampleHandler finishBroadcastWithError:]`; Swift cannot pass `nil` there. It does not call an override of
/// ``RPBroadcastSampleHandler/finishBroadcastWithError(_:)``. It has the name of a C function, so code that declares it by
/// its symbol links.
@_silgen_name("finishBroadcastGracefully")
public func finishBroadcastGracefully(_ handler: RPBroadcastSampleHandler) { handler.end(with: nil) }

public let RPApplicationInfoBundleIdentifierKey: String = "RPApplicationInfoBundleIdentifier"
