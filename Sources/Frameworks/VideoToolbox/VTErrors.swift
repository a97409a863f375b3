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
