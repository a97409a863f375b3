import Foundation
import ReplayKitCore

// Models the part of ReplayKit's RPBroadcast.h for services with a setup screen. The emulated phone has no such
// service, so an app receives the error of a phone without one. Broadcasts start with the picker.

private func noService() -> NSError {
  RPRecordingErrorCode.failedNoMatchingApplicationContext.error(
    "The emulated phone has no broadcast service with a setup screen: use RPSystemBroadcastPickerView.")
}

@preconcurrency
@MainActor
open class RPBroadcastActivityViewController: UIViewController {
  /// Not called here.
  open weak var delegate: (any RPBroadcastActivityViewControllerDelegate)?

  /// Calls `handler` on the main queue with an error, because there is no service.
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

/// An app never receives one from the emulated phone.
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
  /// These methods are optional in Objective-C. They do nothing.
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
  /// Without effect: it updates the app's `RPBroadcastController`, and a broadcast started with the picker has none.
  public func updateServiceInfo(_ serviceInfo: [String: any NSCoding & NSObjectProtocol]) {}

  /// Without effect, like ``updateServiceInfo(_:)``.
  public func updateBroadcast(_ broadcastURL: URL) {}
}
