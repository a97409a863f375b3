/// A rectangle in a hierarchy of views. Nothing is drawn: there is no screen.
///
/// UIKit declares it on iOS, where importing ReplayKit brings it along; so this module does here, with the little that a
/// picker of broadcasts needs. A module of UIKit's own name would not do: Swift Testing wants its own part for it.
@MainActor
open class UIView: NSObject {
  /// Where it is in its superview, in points.
  open var frame: CGRect
  /// How much of it would be seen, from 0 to 1.
  open var alpha: CGFloat = 1
  /// Whether it would be left out of what is drawn.
  open var isHidden = false
  /// The view it is in; `nil` for none.
  open private(set) weak var superview: UIView?
  /// The views in it, from the back to the front.
  open private(set) var subviews: [UIView] = []

  /// A view of that place and size.
  public init(frame: CGRect = .zero) {
    self.frame = frame
    super.init()
  }

  /// Puts `view` in front of the other ones in this view, and takes it out of the one it was in.
  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  /// Takes it out of the view it is in.
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }
}
