// Models the attributes of CoreVideo/CVPixelBuffer.h that say what else can use a buffer, which have no effect here, and formats
// that are named and not created.

/// Whether Metal can use the buffers. Without effect.
public let kCVPixelBufferMetalCompatibilityKey: CFString = "MetalCompatibility"
/// Whether OpenGL ES can use the buffers. Without effect.
public let kCVPixelBufferOpenGLESCompatibilityKey: CFString = "OpenGLESCompatibility"
/// Whether Core Graphics can make images of the buffers. Without effect.
public let kCVPixelBufferCGImageCompatibilityKey: CFString = "CGImageCompatibility"
/// Whether Core Graphics can draw into the buffers. Without effect.
public let kCVPixelBufferCGBitmapContextCompatibilityKey: CFString = "CGBitmapContextCompatibility"

/// Alpha, red, green and blue, eight bits each. Not created here.
public let kCVPixelFormatType_32ARGB: OSType = 0x0000_0020
/// Red, green, blue and alpha, eight bits each. Not created here.
public let kCVPixelFormatType_32RGBA: OSType = 0x5247_4241
/// Luma and chroma in three planes, video range. Not created here.
public let kCVPixelFormatType_420YpCbCr8Planar: OSType = 0x7934_3230
/// Luma and chroma in three planes, full range. Not created here.
public let kCVPixelFormatType_420YpCbCr8PlanarFullRange: OSType = 0x6634_3230
