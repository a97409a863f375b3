import CommandLineSupport
import ReplayKit

/// The system behind the broadcast picker, with a person who taps the only extension it shows.
///
/// ```swift
/// let picker = EmulatedPicker(folder: folder) { choice, isMicrophoneOn in … }
/// picker.install()   // receives taps on every RPSystemBroadcastPickerView from now on
/// ```
@MainActor
package final class EmulatedPicker: BroadcastPickerSystem {
  /// The result of a tap: the extension to launch, or the reason why there is none.
  package typealias Choice = Result<AppExtension, ProgramFailure>

  private let folder: String
  private let wantsMicrophone: Bool
  private let onChoice: @MainActor (_ choice: Choice, _ isMicrophoneOn: Bool) -> Void

  /// A picker for the bundles in `folder`, which is read at every tap.
  ///
  /// - Parameter wantsMicrophone: whether the person turns the microphone on where the picker has a button for it.
  package init(
    folder: String, wantsMicrophone: Bool = false,
    onChoice: @escaping @MainActor (_ choice: Choice, _ isMicrophoneOn: Bool) -> Void
  ) {
    (self.folder, self.wantsMicrophone, self.onChoice) = (folder, wantsMicrophone, onChoice)
  }

  /// Becomes the system of the pickers of this process, which hold it weakly.
  package func install() { RPSystemBroadcastPickerView.system = self }

  /// Shows the extensions; the person chooses at once.
  package func showExtensions(preferredExtension: String?, showsMicrophoneButton: Bool) {
    let choice = Choice { () throws(ProgramFailure) in
      try AppExtension.chosen(in: folder, preferring: preferredExtension)
    }
    onChoice(choice, showsMicrophoneButton && wantsMicrophone)
  }
}
