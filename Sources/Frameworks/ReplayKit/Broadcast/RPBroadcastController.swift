import Foundation

// Models what ReplayKit's RPBroadcast.h has for services with a setup screen, of which the emulated phone has none: an app gets
// the error of a phone without such a service. Broadcasts start with the picker.

private func noService() -> NSError {
  let code = RPRecordingErrorCode.failedNoMatchingApplicationContext.rawValue
  let text =
    "The emulated phone has no broadcast service with a setup screen: use RPSystemBroadcastPickerView."
  return NSError(domain: RPRecordingErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
}

/// The list of services of broadcasts.
@preconcurrency
@MainActor
open class RPBroadcastActivityViewController: UIViewController {
  /// What hears of the choice; not called here.
  open weak var delegate: (any RPBroadcastActivityViewControllerDelegate)?

  /// Calls `handler` on the main queue with an error: there is no service.
  open nonisolated class func load(
    handler: @escaping @Sendable (RPBroadcastActivityViewController?, (any Error)?) -> Void
  ) {
    DispatchQueue.main.async { handler(nil, noService()) }
  }

  /// Calls `handler` on the main queue with an error: there is no service.
  open nonisolated class func load(
    withPreferredExtension preferredExtension: String?,
    handler: @escaping @Sendable (RPBroadcastActivityViewController?, (any Error)?) -> Void
  ) { load(handler: handler) }
}

/// What hears of the choice of a service.
public protocol RPBroadcastActivityViewControllerDelegate: NSObjectProtocol {
  /// A service was chosen, or not.
  func broadcastActivityViewController(
    _ broadcastActivityViewController: RPBroadcastActivityViewController,
    didFinishWith broadcastController: RPBroadcastController?, error: (any Error)?)
}

/// What starts and ends the broadcast of a service; the emulated phone gives none to an app.
open class RPBroadcastController: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: as in ReplayKit, the app uses it on one thread.

  /// What hears of the broadcast.
  open weak var delegate: (any RPBroadcastControllerDelegate)?
  /// Whether the broadcast runs.
  open var isBroadcasting: Bool { false }
  /// Whether the broadcast is paused.
  open var isPaused: Bool { false }
  /// The address of the broadcast.
  open var broadcastURL: URL { URL(fileURLWithPath: "/") }
  /// What the extension says with `updateServiceInfo`.
  open var serviceInfo: [String: any NSCoding & NSObjectProtocol]? { nil }
  /// The identifier of the extension.
  open var broadcastExtensionBundleID: String? { nil }

  /// Calls `handler` with an error: there is no service.
  open func startBroadcast(handler: @escaping @Sendable ((any Error)?) -> Void) {
    DispatchQueue.main.async { handler(noService()) }
  }
  /// Has no effect without a broadcast.
  open func pauseBroadcast() {}
  /// Has no effect without a broadcast.
  open func resumeBroadcast() {}
  /// Calls `handler` with an error: there is no service.
  open func finishBroadcast(handler: @escaping @Sendable ((any Error)?) -> Void) {
    DispatchQueue.main.async { handler(noService()) }
  }
}

/// What hears of a broadcast of a service.
public protocol RPBroadcastControllerDelegate: NSObjectProtocol {
  /// The broadcast has ended.
  func broadcastController(
    _ broadcastController: RPBroadcastController, didFinishWithError error: (any Error)?)
  /// The extension has new information.
  func broadcastController(
    _ broadcastController: RPBroadcastController,
    didUpdateServiceInfo serviceInfo: [String: any NSCoding & NSObjectProtocol])
  /// The extension has another address.
  func broadcastController(_ broadcastController: RPBroadcastController, didUpdateBroadcast broadcastURL: URL)
}

extension RPBroadcastControllerDelegate {
  /// Does nothing: the method is optional.
  public func broadcastController(
    _ broadcastController: RPBroadcastController, didFinishWithError error: (any Error)?
  ) {}
  /// Does nothing: the method is optional.
  public func broadcastController(
    _ broadcastController: RPBroadcastController,
    didUpdateServiceInfo serviceInfo: [String: any NSCoding & NSObjectProtocol]
  ) {}
  /// Does nothing: the method is optional.
  public func broadcastController(
    _ broadcastController: RPBroadcastController, didUpdateBroadcast broadcastURL: URL
  ) {}
}

extension RPBroadcastHandler {
  /// Tells the app's `RPBroadcastController`, which a broadcast of the picker does not have: without effect.
  public func updateServiceInfo(_ serviceInfo: [String: any NSCoding & NSObjectProtocol]) {}

  /// Tells the app's `RPBroadcastController`, which a broadcast of the picker does not have: without effect.
  public func updateBroadcast(_ broadcastURL: URL) {}
}
