/// What the system and the person say to an app that wants to capture its screen.
package enum CapturePermission: String, CaseIterable, Sendable {
  /// The person allows it.
  case granted
  /// The person does not allow it.
  case denied
  /// Recording is switched off on the device, as by parental controls: nobody is asked.
  case disabled
  /// A phone call is active.
  case call
}
