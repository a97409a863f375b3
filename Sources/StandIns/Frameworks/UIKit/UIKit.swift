import Foundation

// Models the part of UIKit that a broadcast picker needs: UIView.h, UIControl.h, UIButton.h and UIAction.h.

/// Nothing is drawn.
@preconcurrency @MainActor
open class UIView: NSObject {
  open var frame: CGRect
  open var alpha: CGFloat = 1
  open var isHidden = false
  /// Without effect.
  open var autoresizingMask: AutoresizingMask = []
  open private(set) weak var superview: UIView?
  open private(set) var subviews: [UIView] = []

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

  private var actions: [(action: UIAction, events: Event)] = []

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

  open func setTitle(_ title: String?, for state: UIControl.State) { titles[state] = title }
  open func title(for state: UIControl.State) -> String? { titles[state] ?? titles[.normal] }
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
