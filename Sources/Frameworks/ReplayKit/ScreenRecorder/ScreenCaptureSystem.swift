/// The emulated system behind the recorder.
///
/// The recorder keeps the order: no start during a capture, no stop without one.
@MainActor
package protocol ScreenCaptureSystem: AnyObject, Sendable {
  /// Starts a capture, whose samples go to `recorder`. `completion` is called once, with an error in
  /// `RPRecordingErrorDomain` when the capture does not start.
  func startCapture(
    for recorder: RPScreenRecorder, isMicrophoneEnabled: Bool,
    completion: @escaping @MainActor ((any Error)?) -> Void)

  /// Stops the capture: no sample follows. `completion` is called once.
  func stopCapture(completion: @escaping @MainActor ((any Error)?) -> Void)
}
