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
