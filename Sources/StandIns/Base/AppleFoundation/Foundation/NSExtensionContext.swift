import Foundation

/// The request of a broadcast. It has no items.
open class NSExtensionContext: NSObject {
  open var inputItems: [Any] { [] }

  /// Without effect: only the handler ends the broadcast.
  open func completeRequest(returningItems items: [Any]?, completionHandler: ((Bool) -> Void)? = nil) {
    completionHandler?(false)
  }

  /// Without effect: only the handler ends the broadcast.
  open func cancelRequest(withError error: any Error) {}
}
