@_exported import Foundation

// Handlers import Accelerate and call nothing of it for their frames. All functions of vImage take buffers, so that one
// unavailable type reaches every caller.

/// The pixels that the functions of vImage work on.
@available(
  *, unavailable,
  message: "vImage is not emulated; scale with CIContext or VTPixelTransferSession, or read the planes"
)
public struct vImage_Buffer {
  /// Creates an empty buffer.
  public init() {}
  /// Creates a buffer of bytes of the caller.
  public init(data: UnsafeMutableRawPointer!, height: UInt, width: UInt, rowBytes: Int) {}
}
