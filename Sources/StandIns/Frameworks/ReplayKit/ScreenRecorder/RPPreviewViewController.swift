/// What a stop of a recording gives. Nothing is shown, and nobody trims or shares the movie.
@preconcurrency
@MainActor
open class RPPreviewViewController: UIViewController {
  open weak var previewControllerDelegate: (any RPPreviewViewControllerDelegate)?
}

@preconcurrency
@MainActor
public protocol RPPreviewViewControllerDelegate: NSObjectProtocol {
  func previewControllerDidFinish(_ previewController: RPPreviewViewController)
  func previewController(
    _ previewController: RPPreviewViewController, didFinishWithActivityTypes activityTypes: Set<String>)
}

// In Objective-C these methods are optional.
extension RPPreviewViewControllerDelegate {
  public func previewControllerDidFinish(_ previewController: RPPreviewViewController) {}
  public func previewController(
    _ previewController: RPPreviewViewController, didFinishWithActivityTypes activityTypes: Set<String>
  ) {}
}

public enum RPCameraPosition: Int, Sendable {
  case front = 1
  case back
}
