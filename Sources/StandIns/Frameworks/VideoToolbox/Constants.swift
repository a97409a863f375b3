// Models the parts of VideoToolbox/VTCompressionProperties.h and VTSession.h that handlers use.

public typealias VTSession = VTCompressionSession

/// Without effect: frames are encoded as they arrive.
public let kVTCompressionPropertyKey_RealTime: CFString = "RealTime"
public let kVTCompressionPropertyKey_ProfileLevel: CFString = "ProfileLevel"
public let kVTCompressionPropertyKey_AverageBitRate: CFString = "AverageBitRate"
/// Pairs after the first are ignored.
public let kVTCompressionPropertyKey_DataRateLimits: CFString = "DataRateLimits"
/// Without effect if a bit rate is set.
public let kVTCompressionPropertyKey_Quality: CFString = "Quality"
/// If it is 0, there is no key frame after the first. A device chooses key frames then.
public let kVTCompressionPropertyKey_MaxKeyFrameInterval: CFString = "MaxKeyFrameInterval"
public let kVTCompressionPropertyKey_MaxKeyFrameIntervalDuration: CFString = "MaxKeyFrameIntervalDuration"
public let kVTCompressionPropertyKey_AllowTemporalCompression: CFString = "AllowTemporalCompression"
public let kVTCompressionPropertyKey_ExpectedFrameRate: CFString = "ExpectedFrameRate"
/// Without effect: frames are not reordered.
public let kVTCompressionPropertyKey_AllowFrameReordering: CFString = "AllowFrameReordering"
/// Without effect: the encoder holds no frames.
public let kVTCompressionPropertyKey_MaxFrameDelayCount: CFString = "MaxFrameDelayCount"
/// Without effect: the encoder is always fast.
public let kVTCompressionPropertyKey_PrioritizeEncodingSpeedOverQuality: CFString =
  "PrioritizeEncodingSpeedOverQuality"
/// Without effect.
public let kVTCompressionPropertyKey_MaximizePowerEfficiency: CFString = "MaximizePowerEfficiency"
/// Only `kVTScalingMode_Normal`, because frames are always scaled that way.
public let kVTCompressionPropertyKey_PixelTransferProperties: CFString = "PixelTransferProperties"
public let kVTCompressionPropertyKey_H264EntropyMode: CFString = "H264EntropyMode"
public let kVTH264EntropyMode_CAVLC: CFString = "CAVLC"
public let kVTH264EntropyMode_CABAC: CFString = "CABAC"
public let kVTProfileLevel_H264_Baseline_AutoLevel: CFString = "H264_Baseline_AutoLevel"
public let kVTProfileLevel_H264_Baseline_3_0: CFString = "H264_Baseline_3_0"
public let kVTProfileLevel_H264_Baseline_3_1: CFString = "H264_Baseline_3_1"
public let kVTProfileLevel_H264_Baseline_4_1: CFString = "H264_Baseline_4_1"
public let kVTProfileLevel_H264_ConstrainedBaseline_AutoLevel: CFString =
  "H264_ConstrainedBaseline_AutoLevel"
public let kVTProfileLevel_H264_Main_AutoLevel: CFString = "H264_Main_AutoLevel"
public let kVTProfileLevel_H264_Main_3_1: CFString = "H264_Main_3_1"
public let kVTProfileLevel_H264_Main_4_0: CFString = "H264_Main_4_0"
public let kVTProfileLevel_H264_Main_4_1: CFString = "H264_Main_4_1"
public let kVTProfileLevel_H264_High_AutoLevel: CFString = "H264_High_AutoLevel"
public let kVTProfileLevel_H264_High_3_1: CFString = "H264_High_3_1"
public let kVTProfileLevel_H264_High_4_0: CFString = "H264_High_4_0"
public let kVTProfileLevel_H264_High_4_1: CFString = "H264_High_4_1"
public let kVTProfileLevel_H264_High_5_1: CFString = "H264_High_5_1"
public let kVTProfileLevel_H264_ConstrainedHigh_AutoLevel: CFString = "H264_ConstrainedHigh_AutoLevel"
public let kVTProfileLevel_HEVC_Main_AutoLevel: CFString = "HEVC_Main_AutoLevel"
public let kVTEncodeFrameOptionKey_ForceKeyFrame: CFString = "ForceKeyFrame"

// Ignored: every encoder here runs in a separate process, with low latency.
public let kVTVideoEncoderSpecification_EnableHardwareAcceleratedVideoEncoder: CFString =
  "EnableHardwareAcceleratedVideoEncoder"
public let kVTVideoEncoderSpecification_RequireHardwareAcceleratedVideoEncoder: CFString =
  "RequireHardwareAcceleratedVideoEncoder"
public let kVTVideoEncoderSpecification_EnableLowLatencyRateControl: CFString = "EnableLowLatencyRateControl"

/// A change during encoding takes effect with the next frame, and makes it a key frame.
@discardableResult
public func VTSessionSetProperty(_ session: VTSession, key: CFString, value: Any?) -> OSStatus {
  session.set(key, value)
}

/// After a failure, sets the other properties too. Returns the first failure.
@discardableResult
public func VTSessionSetProperties(_ session: VTSession, propertyDictionary: CFDictionary) -> OSStatus {
  propertyDictionary.sorted { $0.key < $1.key }.map { session.set($0.key, $0.value) }.first { $0 != 0 } ?? 0
}

public let kVTPropertyNotSupportedErr: OSStatus = -12900
public let kVTParameterErr: OSStatus = -12902
/// The owner invalidated the session, the device was locked, or the app left the foreground.
public let kVTInvalidSessionErr: OSStatus = -12903
public let kVTPixelTransferNotSupportedErr: OSStatus = -12905
/// There is no encoder for this codec, or ffmpeg is not installed.
public let kVTCouldNotFindVideoEncoderErr: OSStatus = -12908
public let kVTVideoEncoderMalfunctionErr: OSStatus = -12912

public struct VTEncodeInfoFlags: OptionSet, Sendable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Set for each frame here.
  public static let asynchronous = VTEncodeInfoFlags(rawValue: 1 << 0)
  /// Does not happen here.
  public static let frameDropped = VTEncodeInfoFlags(rawValue: 1 << 1)
}
