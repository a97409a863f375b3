/// The size and the audio of a stream. Models the class of SCStream.h as iOS 27 has it: without `minimumFrameInterval`,
/// `pixelFormat`, `queueDepth`, `captureMicrophone` and the other members of macOS.
public class SCStreamConfiguration: NSObject {
  /// This and ``height`` are capped at the pixels of the content, which are the default. Reads 0 by default; the value on a
  /// phone is not known.
  public var width = 0
  public var height = 0
  /// Whether the sound of apps is delivered. Default: `false`.
  public var capturesAudio = false
  /// The frames of audio a second: 8,000, 16,000, 24,000 or 48,000. Default: 48,000.
  public var sampleRate = 48_000
  /// The channels of audio: 1 or 2. Default: 2.
  public var channelCount = 2
  /// Whether the app's own sound is left out. Default: `false`.
  public var excludesCurrentProcessAudio = false
  public var captureDynamicRange = SCCaptureDynamicRange.SDR

  public override init() { super.init() }

  public convenience init(preset: Preset) {
    self.init()
    captureDynamicRange = .hdrCanonicalDisplay
  }

  public enum Preset: Int, Sendable {
    /// HDR10 for a recording whose standard range is kept.
    case captureHDRRecordingPreservedSDRHDR10 = 4
  }
}

public enum SCCaptureDynamicRange: Int, Sendable {
  case SDR
  /// High range for any display.
  case hdrCanonicalDisplay = 2
}
