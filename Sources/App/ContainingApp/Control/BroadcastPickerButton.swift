import ReplayKit

/// Taps the button of a hidden picker, which opens the picker of the system without a finger, as many apps do.
@MainActor
package enum BroadcastPickerButton {
  /// Taps the button; returns whether there was one, as it is an undocumented subview of the picker. The system does not
  /// report the choice to the app.
  package static func tap(preferredExtension: String?, showsMicrophoneButton: Bool) -> Bool {
    let picker = RPSystemBroadcastPickerView(frame: CGRect(x: 0, y: 0, width: 44, height: 44))
    picker.preferredExtension = preferredExtension
    picker.showsMicrophoneButton = showsMicrophoneButton
    guard let button = picker.subviews.compactMap({ $0 as? UIButton }).first else { return false }
    button.sendActions(for: .touchUpInside)
    return true
  }
}
