/// An object that the recorder notifies of changes, on the main queue. Models `RPScreenRecorder.h`.
public protocol RPScreenRecorderDelegate: NSObjectProtocol {
  /// ``RPScreenRecorder/isAvailable`` changed.
  func screenRecorderDidChangeAvailability(_ screenRecorder: RPScreenRecorder)

  /// The system ended the capture, which has no preview.
  func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?)
}

// In Objective-C these methods are optional.
extension RPScreenRecorderDelegate {
  /// Does nothing.
  public func screenRecorderDidChangeAvailability(_ screenRecorder: RPScreenRecorder) {}

  /// Does nothing.
  public func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?
  ) {}
}

/// The preview of a recording. A capture has none, so it is never created.
public final class RPPreviewViewController: NSObject {
  private override init() { super.init() }
}
