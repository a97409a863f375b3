import Foundation

/// Apple does not document that the button is a subview. But it has been a subview in every version so far, and many
/// apps hide the view and tap the button:
///
/// ```swift
/// picker.subviews.compactMap { $0 as? UIButton }.first?.sendActions(for: .touchUpInside)
/// ```
/// According to public reports, `sendActions(for:)` on the button passes App Review, and the private selector
/// `buttonPressed:` does not. Here the button opens nothing, and logs why: `consumer start` launches the extension.
@preconcurrency @MainActor
open class RPSystemBroadcastPickerView: UIView {
  open var preferredExtension: String?
  open var showsMicrophoneButton = true

  public override init(frame: CGRect = .zero) {
    super.init(frame: frame)
    let button = UIButton(frame: CGRect(x: 0, y: 0, width: frame.width, height: frame.height))
    let tap = UIAction { _ in
      NSLog(
        "%@",
        "RPSystemBroadcastPickerView: the emulator lists no extensions; launch with 'consumer start'")
    }
    button.addAction(tap, for: .touchUpInside)
    addSubview(button)
  }
}
