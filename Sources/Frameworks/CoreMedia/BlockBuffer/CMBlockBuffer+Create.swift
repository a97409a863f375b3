import Foundation

// Models CMBlockBufferCreateWithMemoryBlock and its parameters, from CoreMedia/CMBlockBuffer.h.

/// Options of a block buffer's creation, as bits.
public typealias CMBlockBufferFlags = UInt32

/// Allocates the memory before the call returns; the stand-in always does.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1 << 0

/// The call succeeded.
public let kCMBlockBufferNoErr: OSStatus = 0
/// Memory could not be allocated.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// A custom block source has no function that frees.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// An offset is outside of the bytes.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// A length is not positive, or exceeds the bytes.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704

/// Functions that allocate and free the memory of a block buffer in place of an allocator.
@unsafe
public struct CMBlockBufferCustomBlockSource {
  /// The version of the structure; zero.
  public var version: UInt32
  /// Allocates a block of a size in bytes.
  public var AllocateBlock: (@convention(c) (UnsafeMutableRawPointer?, Int) -> UnsafeMutableRawPointer?)?
  /// Frees a block of a size in bytes.
  public var FreeBlock: (@convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer, Int) -> Void)?
  /// The first argument of both functions.
  public var refCon: UnsafeMutableRawPointer?

  /// Creates a source from its four fields.
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

/// Creates a block buffer of `dataLength` bytes at `offsetToData` of a block.
///
/// A `memoryBlock` of `nil` is allocated. The buffer frees its block with the custom source if there is one, else with
/// `free`, unless the caller passes its own block and `kCFAllocatorNull`.
/// - Returns: `kCMBlockBufferNoErr`, or the code of a length or an offset outside of the block, of a source that cannot
///   free, or of a failed allocation.
@discardableResult
public func CMBlockBufferCreateWithMemoryBlock(
  allocator structureAllocator: CFAllocator?, memoryBlock: UnsafeMutableRawPointer?, blockLength: Int,
  blockAllocator: CFAllocator?, customBlockSource: UnsafePointer<CMBlockBufferCustomBlockSource>?,
  offsetToData: Int, dataLength: Int, flags: CMBlockBufferFlags,
  blockBufferOut: UnsafeMutablePointer<CMBlockBuffer?>
) -> OSStatus {
  guard blockLength > 0 else { return kCMBlockBufferBadLengthParameterErr }
  guard offsetToData >= 0, offsetToData <= blockLength else { return kCMBlockBufferBadOffsetParameterErr }
  guard dataLength >= 0, dataLength <= blockLength - offsetToData else {
    return kCMBlockBufferBadLengthParameterErr
  }
  // UNSAFE: the caller's parameters are valid for the call; the block belongs to the buffer unless the caller frees it.
  let source = unsafe customBlockSource?.pointee
  if unsafe source != nil && source?.FreeBlock == nil { return kCMBlockBufferBadCustomBlockSourceErr }
  let allocated =
    unsafe memoryBlock
    ?? (source == nil ? calloc(1, blockLength) : source?.AllocateBlock?(source?.refCon, blockLength))
  guard let block = unsafe allocated else { return kCMBlockBufferBlockAllocationFailedErr }
  let callerFrees = unsafe memoryBlock != nil && blockAllocator === kCFAllocatorNull
  unsafe blockBufferOut.pointee = CMBlockBuffer(base: block + offsetToData, dataLength: dataLength) {
    if let source = unsafe source {
      unsafe source.FreeBlock?(source.refCon, block, blockLength)
    } else if !callerFrees {
      unsafe free(block)
    }
  }
  return kCMBlockBufferNoErr
}
