import Synchronization

open class RPBroadcastHandler: NSObject, KeyValueObserver {
  private let hasRequest = Atomic(false)

  /// Called before `broadcastStarted`. If an override does not call `super`, ReplayKit has no request.
  open func beginRequest(with context: NSExtensionContext) { hasRequest.store(true, ordering: .relaxed) }

  /// Begins the request for the emulated system. Returns whether the call reached this class (an override may not call `super`).
  package func launch() -> Bool {
    beginRequest(with: NSExtensionContext())
    return hasRequest.load(ordering: .relaxed)
  }

  open func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
    context: UnsafeMutableRawPointer?
  ) {}
}

/// The system calls one method at a time, on its own queue. A held sample keeps its frame. The system has seven pixel
/// buffers, and delivers no video while a handler holds all of them.
open class RPBroadcastSampleHandler: RPBroadcastHandler {
  private let system = Mutex(System())

  private struct System {
    var finishAction: (@Sendable ((any Error)?) -> Void)?
    var wasAttached = false
    /// The end of a broadcast that the handler ended before there was a system, in its `init()`.
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

  /// May be called on any thread. Without a system, as in a unit test of a handler, it does nothing. A call in `init()`
  /// ends the broadcast when it starts.
  open func finishBroadcastWithError(_ error: any Error) { end(with: error) }

  /// Sets the action of the emulated system for the end of the broadcast by the handler. Call it before
  /// `broadcastStarted`. The action runs at every call, on the thread that ends the broadcast; `nil` detaches the system.
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

/// Ends the broadcast from within the extension without an error, so the system shows no dialog.
///
/// ReplayKit declares no such function. Public code has an Objective-C helper of this name that passes `nil` to
/// `-[RPBroadcastSampleHandler finishBroadcastWithError:]`, because Swift cannot pass `nil` there. The function does
/// not call an override of ``RPBroadcastSampleHandler/finishBroadcastWithError(_:)``. It has the name of a C function,
/// so code that declares it by its symbol links.
@_silgen_name("finishBroadcastGracefully")
public func finishBroadcastGracefully(_ handler: RPBroadcastSampleHandler) { handler.end(with: nil) }

public let RPApplicationInfoBundleIdentifierKey: String = "RPApplicationInfoBundleIdentifier"

/// A handler of movie files. Nothing calls it, as on iOS 11 and later, but code that also has the other handler compiles.
@available(*, deprecated, message: "No longer supported")
open class RPBroadcastMP4ClipHandler: RPBroadcastHandler {
  open func processMP4Clip(with mp4ClipURL: URL?, setupInfo: [String: NSObject]?, finished: Bool) {}
  open func finishedProcessingMP4Clip(
    withUpdatedBroadcastConfiguration broadcastConfiguration: RPBroadcastConfiguration?, error: (any Error)?
  ) {}
}

@available(*, deprecated, message: "No longer supported")
open class RPBroadcastConfiguration: NSObject {
  open var clipDuration: TimeInterval = 5
  open var videoCompressionProperties: [String: any NSObject & NSSecureCoding]?
}
