import EmulatedDevice
import Foundation

/// The dialog that a phone shows when a broadcast has ended otherwise than by the person.
package struct BroadcastDialog: Sendable {
  /// The name of the extension, as the person sees it.
  let name: String
  let ios: IOSVersion

  package init(name: String, ios: IOSVersion) { (self.name, self.ios) = (name, ios) }

  /// The text after an error of the handler; `nil` for another ending.
  func text(of ending: BroadcastEnding) -> String? {
    guard case .byExtension(let error) = ending else { return nil }
    return text(error.localizedDescription)
  }

  /// The text after a crash of the extension's process, and after a kill for its memory: RPRecordingErrorDomain, -5808.
  package var textOfCrash: String {
    text(ios.major >= 13 ? "Attempted to start an invalid broadcast session" : "(null)")
  }

  private func text(_ reason: String) -> String { "Live broadcast to \(name) has stopped due to: \(reason)" }
}
