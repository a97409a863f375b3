/// Models the class in SCStream.h of iOS 27. So it has no `minimumFrameInterval`, `pixelFormat`, `queueDepth`,
/// `captureMicrophone` and other members of macOS.
public class SCStreamConfiguration: NSObject {
  /// Like ``height``, limited to the pixels of the content. By default it reads 0 and the size is the content's; the
  /// value on a phone is not known.
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
