/// A Core Video result code: zero is success, errors are negative. Models CoreVideo/CVReturn.h.
public typealias CVReturn = Int32

/// The call succeeded.
public let kCVReturnSuccess: CVReturn = 0
/// The call failed for another reason.
public let kCVReturnError: CVReturn = -6660
/// An argument is not valid.
public let kCVReturnInvalidArgument: CVReturn = -6661
/// Memory could not be allocated.
public let kCVReturnAllocationFailed: CVReturn = -6662
/// The pixel format is not supported.
public let kCVReturnInvalidPixelFormat: CVReturn = -6680
/// The size is not valid for the pixel format.
public let kCVReturnInvalidSize: CVReturn = -6681
/// The attributes of a pixel buffer are not valid.
public let kCVReturnInvalidPixelBufferAttributes: CVReturn = -6682
/// The attributes of a pool are not valid.
public let kCVReturnInvalidPoolAttributes: CVReturn = -6691
/// The number of buffers in use has reached the threshold.
public let kCVReturnWouldExceedAllocationThreshold: CVReturn = -6689

// Models constants of CoreVideo/CVPixelBuffer.h.

/// 8-bit 4:2:0, two planes, luma 16…235 and chroma 16…240 ("420v").
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076

/// 8-bit 4:2:0, two planes, luma 0…255 and chroma 1…255 ("420f"): the format that ReplayKit delivers.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066

/// 10-bit 4:2:0, two planes, video range ("x420"). For comparisons; the stand-in creates no such buffers.
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3230

/// 8-bit blue, green, red, alpha, one plane ("BGRA").
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241

/// The key of the pixel format in a pixel buffer's attributes.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// The key of the width, in pixels, in a pixel buffer's attributes.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// The key of the height, in pixels, in a pixel buffer's attributes.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// The key of the row alignment, in bytes (a power of two), in a pixel buffer's attributes. Default: 64.
public let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
/// The key of the IOSurface properties in a pixel buffer's attributes. No effect here.
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// The key of the minimum number of buffers in a pool's attributes. No effect here.
public let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"
/// The key of the maximum number of buffers in use, in the auxiliary attributes of a request.
public let kCVPixelBufferPoolAllocationThresholdKey: CFString = "BufferPoolAllocationThreshold"
