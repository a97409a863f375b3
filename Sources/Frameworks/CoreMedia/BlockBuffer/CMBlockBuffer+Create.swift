import Foundation

/// What a block buffer is made to do, as bits.
public typealias CMBlockBufferFlags = UInt32

/// The memory is there when the call returns; here it always is.
public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1 << 0

/// The call succeeded.
public let kCMBlockBufferNoErr: OSStatus = 0
/// Memory could not be allocated.
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
/// A custom block source cannot free what it allocated.
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
/// An offset lies outside of the bytes.
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
/// A length is not positive, or reaches beyond the bytes.
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704

/// Creates a block buffer of `dataLength` bytes at `offsetToData` of a block.
///
/// Without a `memoryBlock` the block is allocated. A block that is given is freed with the buffer: by the custom
/// source, or as `malloc` made it; with `kCFAllocatorNull` it stays the caller's.
/// - Returns: 0, or the code of a length or an offset that lies outside of the block.
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
  // UNSAFE: the caller's parameters, valid for the call; the block is the buffer's from here on, unless the caller
  // said that it frees it.
  let source = unsafe customBlockSource?.pointee
  let free: (UnsafeMutableRawPointer, Int) -> Void
  if let source = unsafe source {
    guard let freeBlock = unsafe source.FreeBlock else { return kCMBlockBufferBadCustomBlockSourceErr }
    let refCon = unsafe source.refCon
    unsafe free = { unsafe freeBlock(refCon, $0, $1) }
  } else if unsafe memoryBlock != nil, blockAllocator === kCFAllocatorNull {
    unsafe free = { _, _ in }
  } else {
    unsafe free = { block, _ in unsafe Foundation.free(block) }
  }
  var block = unsafe memoryBlock
  if unsafe block == nil {
    if let source = unsafe source {
      unsafe block = unsafe source.AllocateBlock?(source.refCon, blockLength)
    } else {
      unsafe block = calloc(1, blockLength)
    }
  }
  guard let block = unsafe block else { return kCMBlockBufferBlockAllocationFailedErr }
  unsafe blockBufferOut.pointee = CMBlockBuffer(
    block: block, blockLength: blockLength, offset: offsetToData, dataLength: dataLength, free: free)
  return kCMBlockBufferNoErr
}
