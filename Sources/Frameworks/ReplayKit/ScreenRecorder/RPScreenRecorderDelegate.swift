/// Hears of changes of the recorder, on the main queue.
public protocol RPScreenRecorderDelegate: NSObjectProtocol {
  /// The recorder can be used now, or cannot any more: see ``RPScreenRecorder/isAvailable``.
  func screenRecorderDidChangeAvailability(_ screenRecorder: RPScreenRecorder)

  /// The system ended the recording. There is no preview of a capture.
  func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?)
}

// Optional in Objective-C, which Linux has not.
extension RPScreenRecorderDelegate {
  /// Does nothing.
  public func screenRecorderDidChangeAvailability(_ screenRecorder: RPScreenRecorder) {}

  /// Does nothing.
  public func screenRecorder(
    _ screenRecorder: RPScreenRecorder, didStopRecordingWith previewViewController: RPPreviewViewController?,
    error: (any Error)?
  ) {}
}

/// What shows a recording to the person. A capture has none, so none is ever made.
public final class RPPreviewViewController: NSObject {
  private override init() { super.init() }
}
