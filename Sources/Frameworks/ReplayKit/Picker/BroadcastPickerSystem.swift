/// What stands behind the picker: the list of extensions the system shows, and the person who chooses.
@MainActor
package protocol BroadcastPickerSystem: AnyObject, Sendable {
  /// The picker's button was tapped.
  ///
  /// - Parameters:
  ///   - preferredExtension: the bundle identifier of the one extension to show; `nil` for all there are.
  ///   - showsMicrophoneButton: whether the person can turn the microphone on.
  func showExtensions(preferredExtension: String?, showsMicrophoneButton: Bool)
}
