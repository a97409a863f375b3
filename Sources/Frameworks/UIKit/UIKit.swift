import Foundation

// Models the part of UIKit that a broadcast picker needs: UIView.h, UIControl.h, UIButton.h and UIAction.h.

/// A rectangle in a hierarchy of views. Nothing is drawn.
@preconcurrency @MainActor
open class UIView: NSObject {
  /// The rectangle in the superview, in points.
  open var frame: CGRect
  /// The opacity, from 0 to 1.
  open var alpha: CGFloat = 1
  /// Whether the view is hidden.
  open var isHidden = false
  /// How the view follows the size of its superview. Without effect.
  open var autoresizingMask: AutoresizingMask = []
  /// The view that contains this one.
  open private(set) weak var superview: UIView?
  /// The contained views, from back to front.
  open private(set) var subviews: [UIView] = []

  /// Creates a view.
  public init(frame: CGRect = .zero) {
    self.frame = frame
    super.init()
  }

  /// Moves `view` to the front of this view's subviews.
  open func addSubview(_ view: UIView) {
    view.removeFromSuperview()
    subviews.append(view)
    view.superview = self
  }

  /// Removes the view from its superview.
  open func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }
}

/// A view that runs actions when a person touches it.
@preconcurrency @MainActor
open class UIControl: UIView {
  /// Events of a control, as bits.
  public struct Event: OptionSet, Sendable {
    /// The bits, as UIKit numbers them.
    public let rawValue: UInt

    /// Creates events from UIKit's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A touch began.
    public static let touchDown = Event(rawValue: 1 << 0)
    /// A further touch, or a second tap.
    public static let touchDownRepeat = Event(rawValue: 1 << 1)
    /// A touch moved within the control.
    public static let touchDragInside = Event(rawValue: 1 << 2)
    /// A touch moved outside of the control.
    public static let touchDragOutside = Event(rawValue: 1 << 3)
    /// A touch moved into the control.
    public static let touchDragEnter = Event(rawValue: 1 << 4)
    /// A touch moved out of the control.
    public static let touchDragExit = Event(rawValue: 1 << 5)
    /// A touch ended within the control: a tap.
    public static let touchUpInside = Event(rawValue: 1 << 6)
    /// A touch ended outside of the control.
    public static let touchUpOutside = Event(rawValue: 1 << 7)
    /// The system cancelled a touch.
    public static let touchCancel = Event(rawValue: 1 << 8)
    /// The value changed.
    public static let valueChanged = Event(rawValue: 1 << 12)
    /// The main action of a button.
    public static let primaryActionTriggered = Event(rawValue: 1 << 13)
    /// A menu's action.
    public static let menuActionTriggered = Event(rawValue: 1 << 14)
    /// Editing began.
    public static let editingDidBegin = Event(rawValue: 1 << 16)
    /// The text changed.
    public static let editingChanged = Event(rawValue: 1 << 17)
    /// Editing ended.
    public static let editingDidEnd = Event(rawValue: 1 << 18)
    /// Editing ended by the return key.
    public static let editingDidEndOnExit = Event(rawValue: 1 << 19)
    /// All events of touches.
    public static let allTouchEvents = Event(rawValue: 0xFFF)
    /// All events of editing.
    public static let allEditingEvents = Event(rawValue: 0xF_0000)
    /// The events that an app may use for itself.
    public static let applicationReserved = Event(rawValue: 0xF00_0000)
    /// The events that UIKit uses for itself.
    public static let systemReserved = Event(rawValue: 0xF000_0000)
    /// All events.
    public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
  }

  /// States of a control, as bits.
  public struct State: OptionSet, Hashable, Sendable {
    /// The bits, as UIKit numbers them.
    public let rawValue: UInt

    /// Creates states from UIKit's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// No other state.
    public static let normal: State = []
    /// A touch is within the control.
    public static let highlighted = State(rawValue: 1 << 0)
    /// The control takes no touches.
    public static let disabled = State(rawValue: 1 << 1)
    /// The control is selected.
    public static let selected = State(rawValue: 1 << 2)
  }

  private var actions: [(action: UIAction, events: Event)] = []

  /// Adds an action for events.
  open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {
    actions.append((action, controlEvents))
  }

  /// Runs the actions of these events: the way in which apps tap a control themselves.
  open func sendActions(for controlEvents: UIControl.Event) {
    for (action, events) in actions where !events.isDisjoint(with: controlEvents) { action.run() }
  }
}

/// A control that a person taps.
@preconcurrency @MainActor
open class UIButton: UIControl {
  private var titles: [State: String] = [:]

  /// Sets the title of a state. Nothing is drawn.
  open func setTitle(_ title: String?, for state: UIControl.State) { titles[state] = title }

  /// Returns the title of a state, else that of the normal one.
  open func title(for state: UIControl.State) -> String? { titles[state] ?? titles[.normal] }
}

/// The body of an action.
public typealias UIActionHandler = @MainActor (UIAction) -> Void

/// An action of a control.
@preconcurrency @MainActor
public final class UIAction: NSObject {
  /// The title.
  public let title: String
  private let handler: UIActionHandler

  /// Creates an action that calls `handler`.
  public init(title: String = "", handler: @escaping UIActionHandler) {
    self.title = title
    self.handler = handler
    super.init()
  }

  func run() { handler(self) }
}
