/// A view that does something when it is touched.
@MainActor
open class UIControl: UIView {
  /// What happens to a control; several at a time.
  public struct Event: OptionSet, Sendable {
    /// The bits, as UIKit numbers them.
    public let rawValue: UInt

    /// Events of these bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// A finger came down on it.
    public static let touchDown = Event(rawValue: 1 << 0)
    /// A finger was lifted within it: a tap.
    public static let touchUpInside = Event(rawValue: 1 << 6)
    /// A finger was lifted outside of it.
    public static let touchUpOutside = Event(rawValue: 1 << 7)
  }

  private var actions: [(action: UIAction, events: Event)] = []

  /// Runs `action` at each of these events.
  open func addAction(_ action: UIAction, for controlEvents: UIControl.Event) {
    actions.append((action, controlEvents))
  }

  /// Runs what was added for these events, as if they had happened.
  ///
  /// This is how apps have a tap on a control without a finger.
  open func sendActions(for controlEvents: UIControl.Event) {
    for (action, events) in actions where !events.isDisjoint(with: controlEvents) { action.run() }
  }
}
