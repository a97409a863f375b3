import ReplayKit

/// The app's way to the system's picker without a finger, as many apps have it: a picker out of sight, whose button the
/// app taps itself.
@MainActor
package enum BroadcastPickerButton {
  /// Taps it. The system does the rest: the app is not told what comes of it.
  ///
  /// - Parameters:
  ///   - preferredExtension: the bundle identifier of the one extension to show; `nil` for all there are.
  ///   - showsMicrophoneButton: whether the person can turn the microphone on.
  /// - Returns: whether there was a button. That it is a subview of the picker is not documented.
  package static func tap(preferredExtension: String?, showsMicrophoneButton: Bool) -> Bool {
    let picker = RPSystemBroadcastPickerView(frame: CGRect(x: 0, y: 0, width: 44, height: 44))
    picker.preferredExtension = preferredExtension
    picker.showsMicrophoneButton = showsMicrophoneButton
    guard let button = picker.subviews.compactMap({ $0 as? UIButton }).first else { return false }
    button.sendActions(for: .touchUpInside)
    return true
  }
}
