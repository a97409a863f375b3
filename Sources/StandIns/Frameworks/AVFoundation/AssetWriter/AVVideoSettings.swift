// Models the keys in AVFoundation's AVVideoSettings.h. The keys of compression properties are Video Toolbox's.

public let AVVideoCodecKey: String = "AVVideoCodecKey"
public let AVVideoWidthKey: String = "AVVideoWidthKey"
public let AVVideoHeightKey: String = "AVVideoHeightKey"
/// Without it, an image of another aspect ratio is stretched here.
public let AVVideoScalingModeKey: String = "AVVideoScalingModeKey"
public let AVVideoScalingModeFit: String = "AVVideoScalingModeFit"
public let AVVideoScalingModeResize: String = "AVVideoScalingModeResize"
public let AVVideoScalingModeResizeAspect: String = "AVVideoScalingModeResizeAspect"
public let AVVideoScalingModeResizeAspectFill: String = "AVVideoScalingModeResizeAspectFill"
public let AVVideoCompressionPropertiesKey: String = "AVVideoCompressionPropertiesKey"
/// Ignored.
public let AVVideoColorPropertiesKey: String = "AVVideoColorPropertiesKey"
/// Ignored.
public let AVVideoPixelAspectRatioKey: String = "AVVideoPixelAspectRatioKey"
/// Ignored.
public let AVVideoCleanApertureKey: String = "AVVideoCleanApertureKey"
public let AVVideoAverageBitRateKey: String = "AverageBitRate"
public let AVVideoQualityKey: String = "Quality"
public let AVVideoMaxKeyFrameIntervalKey: String = "MaxKeyFrameInterval"
public let AVVideoMaxKeyFrameIntervalDurationKey: String = "MaxKeyFrameIntervalDuration"
/// Without effect: frames are not reordered.
public let AVVideoAllowFrameReorderingKey: String = "AllowFrameReordering"
public let AVVideoProfileLevelKey: String = "ProfileLevel"
public let AVVideoExpectedSourceFrameRateKey: String = "ExpectedFrameRate"
/// Without effect.
public let AVVideoAverageNonDroppableFrameRateKey: String = "AverageNonDroppableFrameRate"
public let AVVideoH264EntropyModeKey: String = "H264EntropyMode"
public let AVVideoH264EntropyModeCAVLC: String = "CAVLC"
public let AVVideoH264EntropyModeCABAC: String = "CABAC"
public let AVVideoProfileLevelH264Baseline30: String = "H264_Baseline_3_0"
public let AVVideoProfileLevelH264Baseline31: String = "H264_Baseline_3_1"
public let AVVideoProfileLevelH264Baseline41: String = "H264_Baseline_4_1"
public let AVVideoProfileLevelH264BaselineAutoLevel: String = "H264_Baseline_AutoLevel"
public let AVVideoProfileLevelH264Main30: String = "H264_Main_3_0"
public let AVVideoProfileLevelH264Main31: String = "H264_Main_3_1"
public let AVVideoProfileLevelH264Main32: String = "H264_Main_3_2"
public let AVVideoProfileLevelH264Main41: String = "H264_Main_4_1"
public let AVVideoProfileLevelH264MainAutoLevel: String = "H264_Main_AutoLevel"
public let AVVideoProfileLevelH264High40: String = "H264_High_4_0"
public let AVVideoProfileLevelH264High41: String = "H264_High_4_1"
public let AVVideoProfileLevelH264HighAutoLevel: String = "H264_High_AutoLevel"
