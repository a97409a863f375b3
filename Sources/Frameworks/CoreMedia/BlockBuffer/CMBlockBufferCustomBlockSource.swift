/// Who allocates and frees the memory of a block buffer, when no allocator does.
@unsafe
public struct CMBlockBufferCustomBlockSource {
  /// 0.
  public var version: UInt32
  /// Allocates a block of a size.
  public var AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
  /// Frees a block of a size.
  public var FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
  /// Handed to both.
  public var refCon: UnsafeMutableRawPointer?

  /// A source of four given parts.
  public init(
    version: UInt32,
    AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?,
    FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?,
    refCon: UnsafeMutableRawPointer?
  ) {
    unsafe self.version = version
    unsafe self.AllocateBlock = unsafe AllocateBlock
    unsafe self.FreeBlock = unsafe FreeBlock
    unsafe self.refCon = unsafe refCon
  }
}
