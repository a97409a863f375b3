import Foundation

// Models CoreMedia/CMBlockBuffer.h, with one memory block where Core Media can chain several.

/// A reference-counted range of bytes in one memory block.
///
/// As on iOS, the users of a buffer order their reads and writes of the bytes themselves.
@safe
public final class CMBlockBuffer: @unchecked Sendable {
  // Unchecked: the lock protects the block, and Core Media leaves access to the bytes to its callers.

  private let lock = NSLock()
  private var block: UnsafeMutableRawPointer?
  private let allocate: () -> UnsafeMutableRawPointer?
  private let free: (UnsafeMutableRawPointer) -> Void
  private let offset: Int
  /// The number of bytes.
  public let dataLength: Int

  /// Creates a buffer of the bytes at an offset of a block. A `block` of `nil` is allocated later.
  init(
    block: UnsafeMutableRawPointer?, offset: Int = 0, dataLength: Int,
    allocate: @escaping () -> UnsafeMutableRawPointer? = { nil },
    free: @escaping (UnsafeMutableRawPointer) -> Void
  ) {
    unsafe self.block = block
    self.offset = offset
    self.dataLength = dataLength
    unsafe self.allocate = allocate
    unsafe self.free = free
  }

  deinit { if let block = unsafe block { unsafe free(block) } }

  /// The first byte; `nil` while the block is not allocated. It never changes afterwards.
  var base: UnsafeMutableRawPointer? { unsafe lock.withLock { unsafe block.map { unsafe $0 + offset } } }

  /// Allocates the block if it is not yet, and returns whether there is one.
  func assureMemory() -> Bool {
    lock.withLock {
      if unsafe block == nil { unsafe block = unsafe allocate() }
      return unsafe block != nil
    }
  }

  /// Whether the buffer has no bytes.
  public var isEmpty: Bool { dataLength == 0 }

  /// Returns a copy of the bytes. Throws `kCMBlockBufferUnallocatedBlockErr` for bytes without memory.
  public func dataBytes() throws -> Data {
    let bytes = unsafe bytes
    guard unsafe bytes.baseAddress != nil else {
      throw NSError(domain: NSOSStatusErrorDomain, code: Int(kCMBlockBufferUnallocatedBlockErr))
    }
    defer { withExtendedLifetime(self) {} }
    // UNSAFE: the bytes of the block, which are copied.
    return unsafe Data(buffer: bytes)
  }

  private var bytes: UnsafeMutableBufferPointer<UInt8> {
    // UNSAFE: within the block, which lives as long as this object; the bytes are plain.
    let base = unsafe base
    return unsafe UnsafeMutableBufferPointer(
      start: base?.assumingMemoryBound(to: UInt8.self), count: base == nil ? 0 : dataLength)
  }

  /// Creates a buffer with a copy of `bytes`, or `nil` when there are none.
  package convenience init?(copying bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return nil }
    // UNSAFE: the buffer owns the new block and frees it.
    let block = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
    unsafe bytes.withUnsafeBytes {
      unsafe UnsafeMutableRawBufferPointer(start: block, count: bytes.count).copyMemory(from: $0)
    }
    unsafe self.init(block: block, dataLength: bytes.count) { unsafe $0.deallocate() }
  }

  /// Calls `body` with the bytes for reading.
  package func withBytes<Result, Failure: Error>(
    _ body: (Span<UInt8>) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { withExtendedLifetime(self) {} }
    // UNSAFE: bytes of the block, which outlives `body`.
    return try unsafe body(UnsafeBufferPointer(bytes).span)
  }
}

// Models CMBlockBufferCreateWithMemoryBlock and its parameters, from CoreMedia/CMBlockBuffer.h.

/// Options of a block buffer's creation, as bits.
public typealias CMBlockBufferFlags = UInt32

/// Allocates the memory before the call returns.
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

/// The memory of the bytes is not allocated yet.
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707

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
/// A `memoryBlock` of `nil` is allocated by ``CMBlockBufferAssureBlockMemory(_:)``, by a write, or at once with
/// `kCMBlockBufferAssureMemoryNowFlag`; until then its bytes cannot be read. The buffer frees its block with the custom source if there is one, else with
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
  let callerFrees = unsafe memoryBlock != nil && blockAllocator === kCFAllocatorNull
  let buffer = unsafe CMBlockBuffer(block: memoryBlock, offset: offsetToData, dataLength: dataLength) {
    unsafe source == nil ? calloc(1, blockLength) : source?.AllocateBlock?(source?.refCon, blockLength)
  } free: { block in
    if let source = unsafe source {
      unsafe source.FreeBlock?(source.refCon, block, blockLength)
    } else if !callerFrees {
      unsafe free(block)
    }
  }
  if flags & kCMBlockBufferAssureMemoryNowFlag != 0, !buffer.assureMemory() {
    return kCMBlockBufferBlockAllocationFailedErr
  }
  unsafe blockBufferOut.pointee = buffer
  return kCMBlockBufferNoErr
}

/// Allocates the memory of a block buffer if it is not allocated yet.
/// - Returns: `kCMBlockBufferNoErr` or `kCMBlockBufferBlockAllocationFailedErr`.
@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus {
  theBuffer.assureMemory() ? kCMBlockBufferNoErr : kCMBlockBufferBlockAllocationFailedErr
}

// Models the access functions of CoreMedia/CMBlockBuffer.h.

/// Returns the number of bytes in a block buffer.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Returns whether a block buffer has no bytes.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.isEmpty }

/// Copies bytes into a block buffer, whose memory is allocated if it is not yet.
/// - Returns: `kCMBlockBufferNoErr`, or the code of an offset or a length outside of the buffer, which stays unchanged.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
  with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer,
  offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
  let code = destinationBuffer.check(offset: offsetIntoDestination, length: dataLength)
  guard code == kCMBlockBufferNoErr else { return code }
  guard destinationBuffer.assureMemory(), let base = unsafe destinationBuffer.base else {
    return kCMBlockBufferBlockAllocationFailedErr
  }
  // UNSAFE: the range is checked to lie within the block; the caller's bytes are valid for the call.
  unsafe (base + offsetIntoDestination).copyMemory(from: sourceBytes, byteCount: dataLength)
  withExtendedLifetime(destinationBuffer) {}
  return kCMBlockBufferNoErr
}

/// Copies bytes out of a block buffer.
/// - Returns: `kCMBlockBufferNoErr`, or the code of an offset or a length outside of the buffer or of bytes without memory;
///   then nothing is copied.
@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus {
  let code = theSourceBuffer.check(offset: offsetToData, length: dataLength)
  guard code == kCMBlockBufferNoErr else { return code }
  // UNSAFE: the range is checked to lie within the block; the caller's memory is valid for the call.
  guard let base = unsafe theSourceBuffer.base else { return kCMBlockBufferUnallocatedBlockErr }
  unsafe destination.copyMemory(from: base + offsetToData, byteCount: dataLength)
  withExtendedLifetime(theSourceBuffer) {}
  return kCMBlockBufferNoErr
}

/// Returns the address of a block buffer's bytes at an offset, valid as long as the buffer.
/// - Parameters:
///   - lengthAtOffsetOut: the contiguous bytes at the address: all that follow, as there is one block.
///   - totalLengthOut: the bytes of the whole buffer.
/// - Returns: `kCMBlockBufferNoErr`, `kCMBlockBufferBadOffsetParameterErr`, or `kCMBlockBufferUnallocatedBlockErr`.
@discardableResult
public func CMBlockBufferGetDataPointer(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
  totalLengthOut: UnsafeMutablePointer<Int>?,
  dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  guard offset >= 0, offset < theBuffer.dataLength else { return kCMBlockBufferBadOffsetParameterErr }
  // UNSAFE: the caller's out parameters; the pointer is within the block.
  guard let base = unsafe theBuffer.base else { return kCMBlockBufferUnallocatedBlockErr }
  unsafe lengthAtOffsetOut?.pointee = theBuffer.dataLength - offset
  unsafe totalLengthOut?.pointee = theBuffer.dataLength
  unsafe dataPointerOut?.pointee = unsafe (base + offset).assumingMemoryBound(to: CChar.self)
  return kCMBlockBufferNoErr
}

extension CMBlockBuffer {
  fileprivate func check(offset: Int, length: Int) -> OSStatus {
    guard offset >= 0, offset <= dataLength else { return kCMBlockBufferBadOffsetParameterErr }
    guard length >= 0, length <= dataLength - offset else { return kCMBlockBufferBadLengthParameterErr }
    return kCMBlockBufferNoErr
  }
}
