/// Only holds the image: nothing is drawn.
@preconcurrency @MainActor
open class UIImageView: UIView {
  open var image: UIImage?

  public override init(frame: CGRect = .zero) { super.init(frame: frame) }

  public init(image: UIImage?) {
    self.image = image
    super.init(frame: CGRect(origin: .zero, size: image?.size ?? .zero))
  }
}
