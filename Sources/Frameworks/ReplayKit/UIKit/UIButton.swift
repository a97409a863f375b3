/// A control with a tap.
@MainActor
open class UIButton: UIControl {}
