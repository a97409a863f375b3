@available(
  *, unavailable,
  message: "The emulated phone keeps no clips: record with SCRecordingOutput. See Docs/ScreenCaptureKit.md."
)
public class SCClipBufferingOutput {
  public init(delegate: (any SCClipBufferingOutputDelegate)?) {}
}

@available(
  *, unavailable,
  message: "The emulated phone keeps no clips: record with SCRecordingOutput. See Docs/ScreenCaptureKit.md."
)
public protocol SCClipBufferingOutputDelegate {}
