/// 8-bit 4:2:0, two planes, luma 16…235 and chroma 16…240 ("420v").
public let kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange: OSType = 0x3432_3076

/// 8-bit 4:2:0, two planes, luma 0…255 and chroma 1…255 ("420f"): what ReplayKit delivers.
public let kCVPixelFormatType_420YpCbCr8BiPlanarFullRange: OSType = 0x3432_3066

/// 10-bit 4:2:0, two planes, video range ("x420"). Named for comparison; buffers of it cannot be made here.
public let kCVPixelFormatType_420YpCbCr10BiPlanarVideoRange: OSType = 0x7834_3230

/// 8-bit blue, green, red, alpha, one plane ("BGRA").
public let kCVPixelFormatType_32BGRA: OSType = 0x4247_5241

/// The key of the pixel format in a pixel buffer's attributes.
public let kCVPixelBufferPixelFormatTypeKey: CFString = "PixelFormatType"
/// The key of the width, in pixels, in a pixel buffer's attributes.
public let kCVPixelBufferWidthKey: CFString = "Width"
/// The key of the height, in pixels, in a pixel buffer's attributes.
public let kCVPixelBufferHeightKey: CFString = "Height"
/// The key of the row alignment, in bytes (a power of two), in a pixel buffer's attributes. 64 when absent.
public let kCVPixelBufferBytesPerRowAlignmentKey: CFString = "BytesPerRowAlignment"
/// The key of the IOSurface properties in a pixel buffer's attributes. Accepted and without effect here.
public let kCVPixelBufferIOSurfacePropertiesKey: CFString = "IOSurfaceProperties"
/// The key of the number of buffers a pool keeps ready, in a pool's attributes.
public let kCVPixelBufferPoolMinimumBufferCountKey: CFString = "MinimumBufferCount"
/// The key of the most buffers a pool may have given out, in the auxiliary attributes of one request.
public let kCVPixelBufferPoolAllocationThresholdKey: CFString = "BufferPoolAllocationThreshold"
