import Foundation

/// Nothing is shown.
@preconcurrency
@MainActor
open class UIViewController: NSObject {
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var view: UIView! = UIView()
  open private(set) var presentedViewController: UIViewController?

  public override init() { super.init() }

  open func viewDidLoad() {}

  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (@MainActor () -> Void)? = nil
  ) {
    presentedViewController = viewControllerToPresent
    if let completion { Task { @MainActor in completion() } }
  }

  open func dismiss(animated flag: Bool, completion: (@MainActor () -> Void)? = nil) {
    presentedViewController = nil
    if let completion { Task { @MainActor in completion() } }
  }
}
