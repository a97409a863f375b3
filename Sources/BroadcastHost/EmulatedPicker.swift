import ReplayKit

/// The system behind the broadcast picker: shows the extensions of a device to a person who takes the one shown.
///
/// ```swift
/// let picker = EmulatedPicker(folder: folder) { choice in … }
/// picker.install()   // taps on RPSystemBroadcastPickerView come here from now on
/// ```
@MainActor
package final class EmulatedPicker: BroadcastPickerSystem {
  /// What came of a tap: the extension to launch, or why there is none.
  package typealias Choice = Result<AppExtension, PickerFailure>

  private let folder: String
  private let onChoice: @MainActor (Choice) -> Void

  /// A picker over the bundles in `folder`, which are looked at anew with every tap.
  package init(folder: String, onChoice: @escaping @MainActor (Choice) -> Void) {
    self.folder = folder
    self.onChoice = onChoice
  }

  /// Puts itself, held weakly, behind the pickers of this process.
  package func install() { RPSystemBroadcastPickerView.system = self }

  /// The person takes what is shown, when that is one; the microphone stays off.
  package func showExtensions(preferredExtension: String?, showsMicrophoneButton: Bool) {
    do throws(PickerFailure) {
      onChoice(.success(try InstalledExtensions(folder: folder).choose(preferredExtension)))
    } catch {
      onChoice(.failure(error))
    }
  }
}
