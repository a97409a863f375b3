import ReplayKit

/// The system behind the broadcast picker: shows the extensions of a device to a person who takes the one shown.
///
/// ```swift
/// let picker = EmulatedPicker(folder: folder) { choice, isMicrophoneOn in … }
/// picker.install()   // taps on RPSystemBroadcastPickerView come here from now on
/// ```
@MainActor
package final class EmulatedPicker: BroadcastPickerSystem {
  /// What came of a tap: the extension to launch, or why there is none.
  package typealias Choice = Result<AppExtension, PickerFailure>

  private let folder: String
  private let wantsMicrophone: Bool
  private let onChoice: @MainActor (_ choice: Choice, _ isMicrophoneOn: Bool) -> Void

  /// A picker over the bundles in `folder`, which are looked at anew with every tap.
  ///
  /// - Parameter wantsMicrophone: whether the person turns the microphone on, where there is a button for it.
  package init(
    folder: String, wantsMicrophone: Bool = false,
    onChoice: @escaping @MainActor (_ choice: Choice, _ isMicrophoneOn: Bool) -> Void
  ) {
    self.folder = folder
    self.wantsMicrophone = wantsMicrophone
    self.onChoice = onChoice
  }

  /// Puts itself, held weakly, behind the pickers of this process.
  package func install() { RPSystemBroadcastPickerView.system = self }

  /// The person takes what is shown, when that is one.
  package func showExtensions(preferredExtension: String?, showsMicrophoneButton: Bool) {
    let isMicrophoneOn = showsMicrophoneButton && wantsMicrophone
    do throws(PickerFailure) {
      let chosen = try InstalledExtensions(folder: folder).choose(preferredExtension)
      onChoice(.success(chosen), isMicrophoneOn)
    } catch {
      onChoice(.failure(error), isMicrophoneOn)
    }
  }
}
