import Foundation

/// The request of a broadcast, which has no items.
open class NSExtensionContext: NSObject {
  open var inputItems: [Any] { [] }

  /// Without effect: the broadcast ends by the handler.
  open func completeRequest(returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil) {
    completionHandler?(false)
  }

  /// Without effect: the broadcast ends by the handler.
  open func cancelRequest(withError error: any Error) {}
}
