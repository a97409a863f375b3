/// The size and the audio of a stream. Models the class of SCStream.h as iOS 27 has it: without `minimumFrameInterval`,
/// `pixelFormat`, `queueDepth`, `captureMicrophone` and the other members of macOS.
public class SCStreamConfiguration: NSObject {
  /// The width of the frames in pixels, by default that of the content, at which a larger value is capped. The default reads
  /// as 0 here; as what on a phone is not known.
  public var width = 0
  /// The height of the frames in pixels; see ``width``.
  public var height = 0
  /// Whether the sound of apps is delivered. Default: `false`.
  public var capturesAudio = false
  /// The frames of audio a second: 8,000, 16,000, 24,000 or 48,000. Default: 48,000.
  public var sampleRate = 48_000
  /// The channels of audio: 1 or 2. Default: 2.
  public var channelCount = 2
  /// Whether the app's own sound is left out. Default: `false`.
  public var excludesCurrentProcessAudio = false
  /// The dynamic range of the frames. Default: `.SDR`.
  public var captureDynamicRange = SCCaptureDynamicRange.SDR

  /// Creates a configuration with the defaults.
  public override init() { super.init() }

  /// Creates the configuration of a preset.
  public convenience init(preset: Preset) {
    self.init()
    captureDynamicRange = .hdrCanonicalDisplay
  }

  /// A set of values.
  public enum Preset: Int, Sendable {
    /// HDR10 for a recording whose standard range is kept.
    case captureHDRRecordingPreservedSDRHDR10 = 4
  }
}

/// The dynamic range of frames. Models the enumeration of SCStream.h.
public enum SCCaptureDynamicRange: Int, Sendable {
  /// Standard range.
  case SDR
  /// High range for any display.
  case hdrCanonicalDisplay = 2
}
