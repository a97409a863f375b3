/// Models the class of SCStream.h as iOS 27 has it: without `minimumFrameInterval`,
/// `pixelFormat`, `queueDepth`, `captureMicrophone` and the other members of macOS.
public class SCStreamConfiguration: NSObject {
  /// This and ``height`` are capped at the pixels of the content, which are the default. Reads 0 by default; the value on a
  /// phone is not known.
  public var width = 0
  public var height = 0
  public var capturesAudio = false
  public var sampleRate = 48_000
  public var channelCount = 2
  public var excludesCurrentProcessAudio = false
  public var captureDynamicRange = SCCaptureDynamicRange.SDR

  public override init() { super.init() }

  public convenience init(preset: Preset) {
    self.init()
    captureDynamicRange = .hdrCanonicalDisplay
  }

  public enum Preset: Int, Sendable {
    case captureHDRRecordingPreservedSDRHDR10 = 4
  }
}

public enum SCCaptureDynamicRange: Int, Sendable {
  case SDR, hdrCanonicalDisplay = 2
}
