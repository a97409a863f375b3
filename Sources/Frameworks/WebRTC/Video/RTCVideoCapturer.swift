/// What gives frames to a video source, or to another delegate.
open class RTCVideoCapturer: NSObject {
  /// Who gets the frames. Not kept alive by the capturer.
  public weak var delegate: (any RTCVideoCapturerDelegate)?

  /// A capturer that hands its frames to `delegate`.
  public init(delegate: any RTCVideoCapturerDelegate) { self.delegate = delegate }
}

/// Who gets the frames of a capturer.
public protocol RTCVideoCapturerDelegate: NSObjectProtocol {
  /// A frame was captured.
  func capturer(_ capturer: RTCVideoCapturer, didCapture frame: RTCVideoFrame)
}
