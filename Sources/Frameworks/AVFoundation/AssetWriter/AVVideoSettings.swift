// Models the keys of AVFoundation's AVVideoSettings.h. Those of compression properties are Video Toolbox' own.

/// The codec: an ``AVVideoCodecType``.
public let AVVideoCodecKey: String = "AVVideoCodecKey"
/// The width of the encoded frames, in pixels.
public let AVVideoWidthKey: String = "AVVideoWidthKey"
/// The height of the encoded frames, in pixels.
public let AVVideoHeightKey: String = "AVVideoHeightKey"
/// How images of another shape are scaled; stretched without it.
public let AVVideoScalingModeKey: String = "AVVideoScalingModeKey"
/// Scaled down to the size, the aspect ratio kept, and not up.
public let AVVideoScalingModeFit: String = "AVVideoScalingModeFit"
/// Stretched to the size.
public let AVVideoScalingModeResize: String = "AVVideoScalingModeResize"
/// Scaled into the size, the aspect ratio kept, with black bars.
public let AVVideoScalingModeResizeAspect: String = "AVVideoScalingModeResizeAspect"
/// Scaled over the size, the aspect ratio kept, and cropped.
public let AVVideoScalingModeResizeAspectFill: String = "AVVideoScalingModeResizeAspectFill"
/// The properties of the encoder: a dictionary.
public let AVVideoCompressionPropertiesKey: String = "AVVideoCompressionPropertiesKey"
/// The colours of the track: a dictionary. Ignored.
public let AVVideoColorPropertiesKey: String = "AVVideoColorPropertiesKey"
/// The shape of a pixel: a dictionary. Ignored.
public let AVVideoPixelAspectRatioKey: String = "AVVideoPixelAspectRatioKey"
/// The part of a frame that is shown: a dictionary. Ignored.
public let AVVideoCleanApertureKey: String = "AVVideoCleanApertureKey"

/// The average bits per second.
public let AVVideoAverageBitRateKey: String = "AverageBitRate"
/// The quality, from 0 to 1.
public let AVVideoQualityKey: String = "Quality"
/// The most frames from one key frame to the next.
public let AVVideoMaxKeyFrameIntervalKey: String = "MaxKeyFrameInterval"
/// The most seconds from one key frame to the next.
public let AVVideoMaxKeyFrameIntervalDurationKey: String = "MaxKeyFrameIntervalDuration"
/// Whether the encoder may change the order of frames. Without effect: it does not.
public let AVVideoAllowFrameReorderingKey: String = "AllowFrameReordering"
/// Profile and level.
public let AVVideoProfileLevelKey: String = "ProfileLevel"
/// The frames per second that the encoder may expect.
public let AVVideoExpectedSourceFrameRateKey: String = "ExpectedFrameRate"
/// The frames per second that a decoder must show. Without effect.
public let AVVideoAverageNonDroppableFrameRateKey: String = "AverageNonDroppableFrameRate"
/// The entropy coding.
public let AVVideoH264EntropyModeKey: String = "H264EntropyMode"
/// Context-adaptive variable-length coding.
public let AVVideoH264EntropyModeCAVLC: String = "CAVLC"
/// Context-adaptive binary arithmetic coding.
public let AVVideoH264EntropyModeCABAC: String = "CABAC"

/// The baseline profile at level 3.0.
public let AVVideoProfileLevelH264Baseline30: String = "H264_Baseline_3_0"
/// The baseline profile at level 3.1.
public let AVVideoProfileLevelH264Baseline31: String = "H264_Baseline_3_1"
/// The baseline profile at level 4.1.
public let AVVideoProfileLevelH264Baseline41: String = "H264_Baseline_4_1"
/// The baseline profile.
public let AVVideoProfileLevelH264BaselineAutoLevel: String = "H264_Baseline_AutoLevel"
/// The main profile at level 3.0.
public let AVVideoProfileLevelH264Main30: String = "H264_Main_3_0"
/// The main profile at level 3.1.
public let AVVideoProfileLevelH264Main31: String = "H264_Main_3_1"
/// The main profile at level 3.2.
public let AVVideoProfileLevelH264Main32: String = "H264_Main_3_2"
/// The main profile at level 4.1.
public let AVVideoProfileLevelH264Main41: String = "H264_Main_4_1"
/// The main profile.
public let AVVideoProfileLevelH264MainAutoLevel: String = "H264_Main_AutoLevel"
/// The high profile at level 4.0.
public let AVVideoProfileLevelH264High40: String = "H264_High_4_0"
/// The high profile at level 4.1.
public let AVVideoProfileLevelH264High41: String = "H264_High_4_1"
/// The high profile.
public let AVVideoProfileLevelH264HighAutoLevel: String = "H264_High_AutoLevel"
