import Foundation

// Models the part of UIKit that a broadcast picker and its screen need: UIView.h, UIControl.h, UIButton.h, UIAction.h and
// UIColor.h.

/// Nothing is drawn.
@preconcurrency @MainActor
open class UIView: NSObject {
  open var frame: CGRect
  open var alpha: CGFloat = 1
  open var isHidden = false
  /// Without effect.
  open var contentMode = ContentMode.scaleToFill
  /// Without effect.
  open var backgroundColor: UIColor?
  /// Without effect.
  open var autoresizingMask: AutoresizingMask = []
  open private(set) weak var superview: UIView?
  open private(set) var subviews: [UIView] = []

  public enum ContentMode: Int, Sendable {
    case scaleToFill, scaleAspectFit, scaleAspectFill, redraw, center, top, bottom, left, right, topLeft,
      topRight,
      bottomLeft, bottomRight
  }

  public init(frame: CGRect = .zero) {
    self.frame = frame
    super.init()
  }

  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }
}

@preconcurrency @MainActor
open class UIControl: UIView {
  public struct Event: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let touchDown = Event(rawValue: 1 << 0)
    public static let touchUpInside = Event(rawValue: 1 << 6)
    public static let touchUpOutside = Event(rawValue: 1 << 7)
    public static let valueChanged = Event(rawValue: 1 << 12)
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    public static let allTouchEvents = Event(rawValue: 0xFFF)
    public static let allEditingEvents = Event(rawValue: 0xF_0000)
    public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
  }

  public struct State: OptionSet, Hashable, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let normal: State = []
    public static let highlighted = State(rawValue: 1 << 0)
    public static let disabled = State(rawValue: 1 << 1)
    public static let selected = State(rawValue: 1 << 2)
  }

  open var isEnabled = true
  private var actions: [(action: UIAction, events: Event)] = []

  /// As in UIKit, the control does not retain the target.
  open func addTarget(_ target: Any?, action: Selector, for controlEvents: UIControl.Event) {
    let target = target as AnyObject
    addAction(
      UIAction { [weak target, unowned self] _ in if let target { action.call(target, self) } },
      for: controlEvents)
  }

  open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {
    actions.append((action, controlEvents))
  }

  open func sendActions(for controlEvents: UIControl.Event) {
    for (action, events) in actions where !events.isDisjoint(with: controlEvents) { action.run() }
  }
}

@preconcurrency @MainActor
open class UIButton: UIControl {
  private var titles: [State: String] = [:]
  private var colors: [State: UIColor] = [:]

  open func setTitle(_ title: String?, for state: UIControl.State) { titles[state] = title }
  open func title(for state: UIControl.State) -> String? { titles[state] ?? titles[.normal] }
  open func setTitleColor(_ color: UIColor?, for state: UIControl.State) { colors[state] = color }
  open func titleColor(for state: UIControl.State) -> UIColor? { colors[state] ?? colors[.normal] }
}

public final class UIColor: NSObject, Sendable {
  private let values: [CGFloat]

  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
    values = [red, green, blue, alpha]
  }
  public convenience init(white: CGFloat, alpha: CGFloat) {
    self.init(red: white, green: white, blue: white, alpha: alpha)
  }
  private convenience init(_ red: CGFloat, _ green: CGFloat, _ blue: CGFloat) {
    self.init(red: red / 255, green: green / 255, blue: blue / 255, alpha: 1)
  }

  public static let black = UIColor(white: 0, alpha: 1)
  public static let white = UIColor(white: 1, alpha: 1)
  public static let gray = UIColor(white: 0.5, alpha: 1)
  public static let clear = UIColor(white: 0, alpha: 0)
  public static let red = UIColor(255, 0, 0)
  public static let green = UIColor(0, 255, 0)
  public static let blue = UIColor(0, 0, 255)
  // The values of the light appearance.
  public static let systemRed = UIColor(255, 59, 48)
  public static let systemGreen = UIColor(52, 199, 89)
  public static let systemBlue = UIColor(0, 122, 255)
  public static let systemGray = UIColor(142, 142, 147)

  public override func isEqual(_ object: Any?) -> Bool { (object as? UIColor)?.values == values }
  public override var hash: Int { values.hashValue }
}

/// Without effect, as on an iPad.
@preconcurrency @MainActor
public final class UIImpactFeedbackGenerator: NSObject {
  public enum FeedbackStyle: Int, Sendable { case light, medium, heavy, soft, rigid }
  public init(style: FeedbackStyle = .medium) { super.init() }
  public func prepare() {}
  public func impactOccurred() {}
}

public typealias UIActionHandler = @MainActor (UIAction) -> Void

@preconcurrency @MainActor
public final class UIAction: NSObject {
  public let title: String
  private let handler: UIActionHandler

  public init(title: String = "", handler: @escaping UIActionHandler) {
    self.title = title
    self.handler = handler
    super.init()
  }

  func run() { handler(self) }
}
