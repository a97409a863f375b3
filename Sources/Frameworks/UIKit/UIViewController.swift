import Foundation

/// What owns a view. Models what apps need of UIKit's UIViewController.h; nothing is shown.
@preconcurrency
@MainActor
open class UIViewController: NSObject {
  /// The view.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  open var view: UIView! = UIView()
  /// What this controller presents.
  open private(set) var presentedViewController: UIViewController?

  /// Creates a controller.
  public override init() { super.init() }

  /// The view is there.
  open func viewDidLoad() {}

  /// Presents a controller; `completion` is called on the main queue.
  open func present(
    _ viewControllerToPresent: UIViewController, animated flag: Bool,
    completion: (@MainActor () -> Void)? = nil
  ) {
    presentedViewController = viewControllerToPresent
    if let completion { Task { @MainActor in completion() } }
  }

  /// Takes back what is presented; `completion` is called on the main queue.
  open func dismiss(animated flag: Bool, completion: (@MainActor () -> Void)? = nil) {
    presentedViewController = nil
    if let completion { Task { @MainActor in completion() } }
  }
}
