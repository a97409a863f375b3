import EmulatedSystem

/// What happens to a capture within the app, and when.
struct CaptureScript: Equatable {
  /// What the app's wish meets.
  var permission: CapturePermission
  /// When the app goes to the background, after the start; `nil` for never.
  var background: Duration?
  /// When another app takes the recorder.
  var interruption: Duration?
  /// When the app asks for a second capture.
  var secondStart: Duration?
}
