/// Not on the emulated phone.
@available(
  *, unavailable,
  message: "The emulated phone keeps no clips: record with SCRecordingOutput. See Docs/ScreenCaptureKit.md."
)
public class SCClipBufferingOutput {
  /// Not on the emulated phone.
  public init(delegate: (any SCClipBufferingOutputDelegate)?) {}
}

/// Not on the emulated phone.
@available(
  *, unavailable,
  message: "The emulated phone keeps no clips: record with SCRecordingOutput. See Docs/ScreenCaptureKit.md."
)
public protocol SCClipBufferingOutputDelegate {}
