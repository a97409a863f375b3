import EmulatedDevice

/// The dialog that a phone shows after a broadcast that the person did not end.
package struct BroadcastDialog: Sendable {
  /// The name of the extension that the person sees.
  let name: String
  let ios: IOSVersion

  package init(name: String, ios: IOSVersion) {
    self.name = name
    self.ios = ios
  }

  /// Returns the text after an error of the handler; `nil` for any other ending.
  func text(of ending: BroadcastEnding) -> String? {
    guard case .byExtension(let error) = ending else { return nil }
    return text(error.textOnDevice)
  }

  /// The text after a crash of the extension's process, and after a kill for its memory: RPRecordingErrorDomain, -5808.
  package var textOfCrash: String {
    text(ios.major >= 13 ? "Attempted to start an invalid broadcast session" : "(null)")
  }

  private func text(_ reason: String) -> String { "Live broadcast to \(name) has stopped due to: \(reason)" }
}
