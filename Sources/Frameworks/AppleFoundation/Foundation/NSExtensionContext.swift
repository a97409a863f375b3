import Foundation

/// The request that launched an extension. Models the class of NSExtensionContext.h; a broadcast's request has no items.
open class NSExtensionContext: NSObject {
  /// The items of the request.
  open var inputItems: [Any] { [] }

  /// Ends the request. Without effect: the broadcast ends by the handler.
  open func completeRequest(returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil) {
    completionHandler?(false)
  }

  /// Ends the request with an error. Without effect: the broadcast ends by the handler.
  open func cancelRequest(withError error: any Error) {}
}
