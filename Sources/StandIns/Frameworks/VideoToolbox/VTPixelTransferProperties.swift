// Models VideoToolbox/VTPixelTransferProperties.h.

public let kVTPixelTransferPropertyKey_ScalingMode: CFString = "ScalingMode"
public let kVTScalingMode_Normal: CFString = "Normal"
/// Here the complete image is stretched.
public let kVTScalingMode_CropSourceToCleanAperture: CFString = "CropSourceToCleanAperture"
/// Not supported here.
public let kVTScalingMode_Letterbox: CFString = "Letterbox"
public let kVTScalingMode_Trim: CFString = "Trim"
/// Without effect.
public let kVTPixelTransferPropertyKey_RealTime: CFString = "RealTime"
/// Without effect.
public let kVTPixelTransferPropertyKey_DownsamplingMode: CFString = "DownsamplingMode"
public let kVTDownsamplingMode_Decimate: CFString = "Decimate"
/// The stand-in always averages here, whatever the mode.
public let kVTDownsamplingMode_Average: CFString = "Average"
/// Not supported here.
public let kVTPixelTransferPropertyKey_DestinationColorPrimaries: CFString = "DestinationColorPrimaries"
/// Not supported here.
public let kVTPixelTransferPropertyKey_DestinationTransferFunction: CFString = "DestinationTransferFunction"
/// Not supported here.
public let kVTPixelTransferPropertyKey_DestinationYCbCrMatrix: CFString = "DestinationYCbCrMatrix"

/// Also returns `kVTPropertyNotSupportedErr` for values that the stand-in does not support.
@discardableResult
public func VTSessionSetProperty(_ session: VTPixelTransferSession, key: CFString, value: Any?) -> OSStatus {
  switch key {
  case kVTPixelTransferPropertyKey_RealTime, kVTPixelTransferPropertyKey_DownsamplingMode: return 0
  case kVTPixelTransferPropertyKey_ScalingMode:
    switch value as? String ?? kVTScalingMode_Normal {
    case kVTScalingMode_Normal, kVTScalingMode_CropSourceToCleanAperture: session.isTrimming = false
    case kVTScalingMode_Trim: session.isTrimming = true
    default: return kVTPropertyNotSupportedErr
    }
    return 0
  default: return kVTPropertyNotSupportedErr
  }
}
