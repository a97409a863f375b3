import Dispatch

/// The emulated system behind the picker and the streams of an app.
package protocol ContentCaptureSystem: AnyObject, Sendable {
  /// Runs `body` on a queue, in the time of the device.
  func run(on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)

  /// Runs `body` on the main queue, in the time of the device.
  func onMain(_ body: @escaping @MainActor @Sendable (any ContentCaptureSystem) -> Void)

  /// Presents the picker for the app.
  @MainActor
  func present(
    _ picker: SCContentSharingPicker, _ request: SCContentSharingPicker.Request,
    _ configuration: SCContentSharingPickerConfiguration, isActive: Bool)

  /// Starts the capture for a stream. `completion` is called once, with an error if the capture does not start.
  @MainActor
  func start(_ stream: ContentStream, completion: @escaping @MainActor (SCStreamError?) -> Void)

  /// Stops the capture. `completion` is called once, and no sample follows.
  @MainActor
  func stop(_ stream: ContentStream, completion: @escaping @MainActor () -> Void)
}
