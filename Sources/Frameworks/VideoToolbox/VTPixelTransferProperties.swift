// Models VideoToolbox/VTPixelTransferProperties.h.

/// How a picture is scaled: a constant such as `kVTScalingMode_Normal`.
public let kVTPixelTransferPropertyKey_ScalingMode: CFString = "ScalingMode"
/// Stretched: the default.
public let kVTScalingMode_Normal: CFString = "Normal"
/// The clean aperture, stretched: the whole picture here.
public let kVTScalingMode_CropSourceToCleanAperture: CFString = "CropSourceToCleanAperture"
/// The whole picture in its aspect ratio, with black bars. Not supported here.
public let kVTScalingMode_Letterbox: CFString = "Letterbox"
/// The aspect ratio kept, and cropped.
public let kVTScalingMode_Trim: CFString = "Trim"
/// Whether the transfers are those of pictures as they come. Without effect.
public let kVTPixelTransferPropertyKey_RealTime: CFString = "RealTime"
/// How chroma is made smaller. Without effect.
public let kVTPixelTransferPropertyKey_DownsamplingMode: CFString = "DownsamplingMode"
/// Each second sample.
public let kVTDownsamplingMode_Decimate: CFString = "Decimate"
/// The mean of samples: what the stand-in does.
public let kVTDownsamplingMode_Average: CFString = "Average"
/// The primaries of the copy. Not supported here.
public let kVTPixelTransferPropertyKey_DestinationColorPrimaries: CFString = "DestinationColorPrimaries"
/// The transfer function of the copy. Not supported here.
public let kVTPixelTransferPropertyKey_DestinationTransferFunction: CFString = "DestinationTransferFunction"
/// The matrix of the copy. Not supported here.
public let kVTPixelTransferPropertyKey_DestinationYCbCrMatrix: CFString = "DestinationYCbCrMatrix"

/// Sets a property of a session of pixel transfers; `nil` resets it.
/// - Returns: zero; `kVTPropertyNotSupportedErr` for another key, and for what the stand-in does not do.
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
