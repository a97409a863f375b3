/// A view of an image. Models the class of UIKit's UIImageView.h. It holds the image; nothing is drawn.
@preconcurrency @MainActor
open class UIImageView: UIView {
  /// The image.
  open var image: UIImage?

  /// Creates a view without an image.
  public override init(frame: CGRect = .zero) { super.init(frame: frame) }

  /// Creates a view of an image, with its size.
  public init(image: UIImage?) {
    self.image = image
    super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
  }
}
