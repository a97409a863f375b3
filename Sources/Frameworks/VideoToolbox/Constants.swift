// Models what handlers use of VideoToolbox/VTCompressionProperties.h and VTSession.h.

/// A session of VideoToolbox.
public typealias VTSession = VTCompressionSession

/// Whether frames are encoded as they come. Without effect: they are.
public let kVTCompressionPropertyKey_RealTime: CFString = "RealTime"
/// Profile and level: a constant such as `kVTProfileLevel_H264_High_AutoLevel`.
public let kVTCompressionPropertyKey_ProfileLevel: CFString = "ProfileLevel"
/// The average bits per second.
public let kVTCompressionPropertyKey_AverageBitRate: CFString = "AverageBitRate"
/// The most bytes in a number of seconds: an array of both. Further pairs are ignored.
public let kVTCompressionPropertyKey_DataRateLimits: CFString = "DataRateLimits"
/// The quality from 0 to 1, without a bit rate.
public let kVTCompressionPropertyKey_Quality: CFString = "Quality"
/// The most frames from one key frame to the next; 0 for no limit.
public let kVTCompressionPropertyKey_MaxKeyFrameInterval: CFString = "MaxKeyFrameInterval"
/// The most seconds from one key frame to the next; 0 for no limit.
public let kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: CFString = "MaxKeyFrameIntervalDuration"
/// Whether frames may depend on others: `false` makes each a key frame.
public let kVTCompressionPropertyKey_AllowTemporalCompression: CFString = "AllowTemporalCompression"
/// The frames per second that the encoder may expect.
public let kVTCompressionPropertyKey_ExpectedFrameRate: CFString = "ExpectedFrameRate"
/// Whether the encoder may change the order of frames. Without effect: it does not.
public let kVTCompressionPropertyKey_AllowFrameReordering: CFString = "AllowFrameReordering"
/// The most frames that the encoder holds. Without effect: it holds none.
public let kVTCompressionPropertyKey_MaxFrameDelayCount: CFString = "MaxFrameDelayCount"
/// The entropy coding: `kVTH264EntropyMode_CAVLC` or `kVTH264EntropyMode_CABAC`.
public let kVTCompressionPropertyKey_H264EntropyMode: CFString = "H264EntropyMode"

/// Context-adaptive variable-length coding.
public let kVTH264EntropyMode_CAVLC: CFString = "CAVLC"
/// Context-adaptive binary arithmetic coding; not in the baseline profile.
public let kVTH264EntropyMode_CABAC: CFString = "CABAC"

/// The baseline profile.
public let kVTProfileLevel_H264_Baseline_AutoLevel: CFString = "H264_Baseline_AutoLevel"
/// The baseline profile at level 3.0.
public let kVTProfileLevel_H264_Baseline_3_0: CFString = "H264_Baseline_3_0"
/// The baseline profile at level 3.1.
public let kVTProfileLevel_H264_Baseline_3_1: CFString = "H264_Baseline_3_1"
/// The baseline profile at level 4.1.
public let kVTProfileLevel_H264_Baseline_4_1: CFString = "H264_Baseline_4_1"
/// The baseline profile without the tools that most decoders lack.
public let kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel: CFString =
  "H264_ConstrainedBaseline_AutoLevel"
/// The main profile.
public let kVTProfileLevel_H264_Main_AutoLevel: CFString = "H264_Main_AutoLevel"
/// The main profile at level 3.1.
public let kVTProfileLevel_H264_Main_3_1: CFString = "H264_Main_3_1"
/// The main profile at level 4.0.
public let kVTProfileLevel_H264_Main_4_0: CFString = "H264_Main_4_0"
/// The main profile at level 4.1.
public let kVTProfileLevel_H264_Main_4_1: CFString = "H264_Main_4_1"
/// The high profile.
public let kVTProfileLevel_H264_High_AutoLevel: CFString = "H264_High_AutoLevel"
/// The high profile at level 3.1.
public let kVTProfileLevel_H264_High_3_1: CFString = "H264_High_3_1"
/// The high profile at level 4.0.
public let kVTProfileLevel_H264_High_4_0: CFString = "H264_High_4_0"
/// The high profile at level 4.1.
public let kVTProfileLevel_H264_High_4_1: CFString = "H264_High_4_1"
/// The high profile at level 5.1.
public let kVTProfileLevel_H264_High_5_1: CFString = "H264_High_5_1"
/// The high profile without the tools that hardware lacks.
public let kVTProfileLevel_H264_ConstrainedHigh_AutoLevel: CFString = "H264_ConstrainedHigh_AutoLevel"
/// The main profile of HEVC.
public let kVTProfileLevel_HEVC_Main_AutoLevel: CFString = "HEVC_Main_AutoLevel"

/// The property of a frame that makes it a key frame: a Boolean.
public let kVTEncodeFrameOptionKey_ForceKeyFrame: CFString = "ForceKeyFrame"

/// The specification of an encoder for video calls. Ignored: every encoder here has a low latency.
public let kVTVideoEncoderSpecification_EnableLowLatencyRateControl: CFString = "EnableLowLatencyRateControl"

/// Sets a property of a session; `nil` resets it. A change during encoding takes effect with the next frame, which is a key
/// frame.
/// - Returns: zero; `kVTInvalidSessionErr`; `kVTPropertyNotSupportedErr` for another key; `kVTParameterErr` for a value that
///   the property does not have.
@discardableResult
public func VTSessionSetProperty(_ session: VTSession, key: CFString, value: Any?) -> OSStatus {
  session.set(key, value)
}

/// Sets several properties; see ``VTSessionSetProperty(_:key:value:)``.
/// - Returns: zero, or the first failure, after which the other properties are set too.
@discardableResult
public func VTSessionSetProperties(_ session: VTSession, propertyDictionary: CFDictionary) -> OSStatus {
  propertyDictionary.sorted { $0.key < $1.key }.map { session.set($0.key, $0.value) }.first { $0 != 0 } ?? 0
}

// Models what handlers use of VideoToolbox/VTErrors.h.

/// The session or its encoder does not have the property.
public let kVTPropertyNotSupportedErr: OSStatus = -12900
/// A parameter is wrong, or two contradict each other.
public let kVTParameterErr: OSStatus = -12902
/// The session was invalidated: by its owner, or because the device was locked. Create a new one.
public let kVTInvalidSessionErr: OSStatus = -12903
/// Pixels of these formats cannot be copied.
public let kVTPixelTransferNotSupportedErr: OSStatus = -12905
/// There is no encoder for this codec, or ffmpeg is not installed.
public let kVTCouldNotFindVideoEncoderErr: OSStatus = -12908
/// The encoder failed, and the session cannot encode any more.
public let kVTVideoEncoderMalfunctionErr: OSStatus = -12912

/// How a frame was encoded.
public struct VTEncodeInfoFlags: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt32

  /// Creates flags from their bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The output comes later, on another thread: the case for each frame here.
  public static let asynchronous = VTEncodeInfoFlags(rawValue: 1 << 0)
  /// The encoder dropped the frame. It does not happen here.
  public static let frameDropped = VTEncodeInfoFlags(rawValue: 1 << 1)
}
