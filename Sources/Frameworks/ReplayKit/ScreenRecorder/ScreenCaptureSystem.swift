/// What stands behind the recorder: the screen, the person who is asked, and what comes between.
///
/// The recorder keeps the order: no start while it records, no stop while it does not.
@MainActor
package protocol ScreenCaptureSystem: AnyObject, Sendable {
  /// The app asks to capture its screen. `completion` is called once: with an error in `RPRecordingErrorDomain` when
  /// it may not. Samples go to `recorder` from then on.
  func startCapture(
    for recorder: RPScreenRecorder, isMicrophoneEnabled: Bool,
    completion: @escaping @MainActor ((any Error)?) -> Void)

  /// The app wants no more samples; none follows. `completion` is called once.
  func stopCapture(completion: @escaping @MainActor ((any Error)?) -> Void)
}
