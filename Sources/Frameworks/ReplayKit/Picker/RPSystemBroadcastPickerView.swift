/// A view with the button that shows the broadcast extensions there are.
///
/// Many apps have no place for it, keep it out of sight, and tap its button themselves:
///
/// ```swift
/// let picker = RPSystemBroadcastPickerView(frame: CGRect(x: 0, y: 0, width: 44, height: 44))
/// picker.preferredExtension = "com.example.screenshare.broadcast"
/// picker.subviews.compactMap { $0 as? UIButton }.first?.sendActions(for: .touchUpInside)
/// ```
/// That the button is a subview is not documented, and holds on every version so far.
@MainActor
open class RPSystemBroadcastPickerView: UIView {
  /// The emulated system; without one the button does nothing, as on a Mac.
  package static weak var system: (any BroadcastPickerSystem)?

  /// The bundle identifier of the one extension to show; `nil` to show all there are.
  open var preferredExtension: String?
  /// Whether the person is shown a button for the microphone.
  open var showsMicrophoneButton = true

  /// A picker of that place and size.
  public override init(frame: CGRect = .zero) {
    super.init(frame: frame)
    let button = UIButton(frame: CGRect(x: 0, y: 0, width: frame.width, height: frame.height))
    button.addAction(UIAction { [weak self] _ in self?.showExtensions() }, for: .touchUpInside)
    addSubview(button)
  }

  private func showExtensions() {
    Self.system?.showExtensions(
      preferredExtension: preferredExtension, showsMicrophoneButton: showsMicrophoneButton)
  }
}
