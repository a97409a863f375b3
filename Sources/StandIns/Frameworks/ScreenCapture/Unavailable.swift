// Names of ScreenCaptureKit that the emulator lacks. The error of the compiler says what to use instead.

@available(*, unavailable, message: "The emulator records no stream: write its samples with AVAssetWriter.")
public class SCRecordingOutput {
  public init(configuration: SCRecordingOutputConfiguration, delegate: any SCRecordingOutputDelegate) {}
}

@available(*, unavailable, message: "The emulator records no stream: write its samples with AVAssetWriter.")
public class SCRecordingOutputConfiguration {
  public init() {}
  public var outputURL = URL(filePath: "/")
}

@available(*, unavailable, message: "The emulator records no stream: write its samples with AVAssetWriter.")
public protocol SCRecordingOutputDelegate {}

@available(*, unavailable, message: "The emulator keeps no clips: write the samples with AVAssetWriter.")
public class SCClipBufferingOutput {
  public init(delegate: (any SCClipBufferingOutputDelegate)?) {}
}

@available(*, unavailable, message: "The emulator keeps no clips: write the samples with AVAssetWriter.")
public protocol SCClipBufferingOutputDelegate {}
