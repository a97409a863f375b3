import Foundation

// Models what ReplayKit's RPBroadcast.h has for services with a setup screen, of which the emulated phone has none: an app gets
// the error of a phone without such a service. Broadcasts start with the picker.

private func noService() -> NSError {
  let code = RPRecordingErrorCode.failedNoMatchingApplicationContext.rawValue
  let text =
    "The emulated phone has no broadcast service with a setup screen: use RPSystemBroadcastPickerView."
  return NSError(domain: RPRecordingErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
}

@preconcurrency
@MainActor
open class RPBroadcastActivityViewController: UIViewController {
  /// Not called here.
  open weak var delegate: (any RPBroadcastActivityViewControllerDelegate)?

  /// Calls `handler` on the main queue with an error: there is no service.
  open nonisolated class func load(
    handler: @escaping @Sendable (RPBroadcastActivityViewController?, (any Error)?) -> Void
  ) {
    DispatchQueue.main.async { handler(nil, noService()) }
  }

  open nonisolated class func load(
    withPreferredExtension preferredExtension: String?,
    handler: @escaping @Sendable (RPBroadcastActivityViewController?, (any Error)?) -> Void
  ) { load(handler: handler) }
}

public protocol RPBroadcastActivityViewControllerDelegate: NSObjectProtocol {
  func broadcastActivityViewController(
    _ broadcastActivityViewController: RPBroadcastActivityViewController,
    didFinishWith broadcastController: RPBroadcastController?, error: (any Error)?)
}

/// The emulated phone gives none to an app.
open class RPBroadcastController: NSObject, @unchecked Sendable {
  // Unchecked `Sendable`: as in ReplayKit, the app uses it on one thread.

  open weak var delegate: (any RPBroadcastControllerDelegate)?
  open var isBroadcasting: Bool { false }
  open var isPaused: Bool { false }
  open var broadcastURL: URL { URL(fileURLWithPath: "/") }
  open var serviceInfo: [String: any NSCoding & NSObjectProtocol]? { nil }
  open var broadcastExtensionBundleID: String? { nil }

  open func startBroadcast(handler: @escaping @Sendable ((any Error)?) -> Void) {
    DispatchQueue.main.async { handler(noService()) }
  }
  open func pauseBroadcast() {}
  open func resumeBroadcast() {}
  open func finishBroadcast(handler: @escaping @Sendable ((any Error)?) -> Void) {
    DispatchQueue.main.async { handler(noService()) }
  }
}

public protocol RPBroadcastControllerDelegate: NSObjectProtocol {
  func broadcastController(
    _ broadcastController: RPBroadcastController, didFinishWithError error: (any Error)?)
  func broadcastController(
    _ broadcastController: RPBroadcastController,
    didUpdateServiceInfo serviceInfo: [String: any NSCoding & NSObjectProtocol])
  func broadcastController(_ broadcastController: RPBroadcastController, didUpdateBroadcast broadcastURL: URL)
}

extension RPBroadcastControllerDelegate {
  /// These do nothing: the methods are optional.
  public func broadcastController(
    _ broadcastController: RPBroadcastController, didFinishWithError error: (any Error)?
  ) {}
  public func broadcastController(
    _ broadcastController: RPBroadcastController,
    didUpdateServiceInfo serviceInfo: [String: any NSCoding & NSObjectProtocol]
  ) {}
  public func broadcastController(
    _ broadcastController: RPBroadcastController, didUpdateBroadcast broadcastURL: URL
  ) {}
}

extension RPBroadcastHandler {
  /// Without effect: it is for the app's `RPBroadcastController`, which a broadcast of the picker does not
  /// have.
  public func updateServiceInfo(_ serviceInfo: [String: any NSCoding & NSObjectProtocol]) {}

  /// Without effect, as ``updateServiceInfo(_:)``.
  public func updateBroadcast(_ broadcastURL: URL) {}
}
