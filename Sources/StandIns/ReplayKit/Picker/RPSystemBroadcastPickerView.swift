/// The emulated system behind the picker: it lists the extensions, and a person selects one.
@preconcurrency @MainActor
package protocol BroadcastPickerSystem: AnyObject, Sendable {
  /// Shows the broadcast extensions after a tap on the picker's button.
  ///
  /// - Parameters:
  ///   - preferredExtension: the bundle identifier of the only extension to show; `nil` for all.
  ///   - showsMicrophoneButton: whether the person can enable the microphone.
  func showExtensions(preferredExtension: String?, showsMicrophoneButton: Bool)
}

/// Apple does not document that the button is a subview, but it has been on every version so far, and many
/// apps hide the view and tap the button:
///
/// ```swift
/// picker.subviews.compactMap { $0 as? UIButton }.first?.sendActions(for: .touchUpInside)
/// ```
/// By public reports, `sendActions(for:)` on the button passes App Review; the private selector `buttonPressed:`
/// does not.
@preconcurrency @MainActor
open class RPSystemBroadcastPickerView: UIView {
  /// The emulated system. Without one the button does nothing.
  package static weak var system: (any BroadcastPickerSystem)?

  open var preferredExtension: String?
  open var showsMicrophoneButton = true

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
