// Handlers import Accelerate and call nothing of it for their frames: a name for the import.
@_exported import Foundation

/// A picture of vImage, which the emulator does not have.
@available(
  *, unavailable,
  message: "The emulator has no vImage: scale and turn with CIContext and CIImage. See Docs/StandIns.md."
)
public struct vImage_Buffer {
  /// Unavailable, as the type.
  public init(data: UnsafeMutableRawPointer!, height: UInt, width: UInt, rowBytes: Int) {}
  /// Unavailable, as the type.
  public init() {}
}
