import EmulatedDevice
import Foundation

// Models CoreMedia/CMBlockBuffer.h with a single memory block. Core Media can chain several.

/// As on iOS, the callers synchronize their accesses to the bytes.
@safe
public final class CMBlockBuffer: @unchecked Sendable {
  // Unchecked: the lock protects the block, and Core Media leaves access to the bytes to its callers.

  private let lock = NSLock()
  private var block: UnsafeMutableRawPointer?
  private let allocate: () -> UnsafeMutableRawPointer?
  private let free: (UnsafeMutableRawPointer) -> Void
  private let offset: Int
  public let dataLength: Int

  /// Creates a buffer for the bytes at `offset` of a block. If `block` is `nil`, the block is allocated later.
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

  /// The address of the first byte; `nil` until the block is allocated. The address never changes.
  var base: UnsafeMutableRawPointer? { unsafe lock.withLock { unsafe block.map { unsafe $0 + offset } } }

  /// Allocates the block if necessary. Returns whether there is a block.
  func assureMemory() -> Bool {
    lock.withLock {
      if unsafe block == nil { unsafe block = unsafe allocate() }
      return unsafe block != nil
    }
  }

  public var isEmpty: Bool { dataLength == 0 }

  public func dataBytes() throws -> Data {
    let bytes = unsafe bytes
    guard unsafe bytes.baseAddress != nil else { throw NSError(code: kCMBlockBufferUnallocatedBlockErr) }
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

  /// Creates a buffer with a copy of `bytes`; `nil` if `bytes` is empty.
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

public typealias CMBlockBufferFlags = UInt32

public let kCMBlockBufferAssureMemoryNowFlag: CMBlockBufferFlags = 1 << 0
public let kCMBlockBufferNoErr: OSStatus = 0
public let kCMBlockBufferBlockAllocationFailedErr: OSStatus = -12701
public let kCMBlockBufferBadCustomBlockSourceErr: OSStatus = -12702
public let kCMBlockBufferBadOffsetParameterErr: OSStatus = -12703
public let kCMBlockBufferBadLengthParameterErr: OSStatus = -12704
public let kCMBlockBufferUnallocatedBlockErr: OSStatus = -12707

/// Cannot be created here: pass `nil`.
public struct CMBlockBufferCustomBlockSource {
  private init() {}
}

/// The block is freed with `free`, unless the caller passes both the block and `kCFAllocatorNull`. Other allocators
/// have no effect.
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
  let callerFrees = unsafe memoryBlock != nil && blockAllocator === kCFAllocatorNull
  let buffer = unsafe CMBlockBuffer(block: memoryBlock, offset: offsetToData, dataLength: dataLength) {
    unsafe calloc(1, blockLength)
  } free: {
    if !callerFrees { unsafe free($0) }
  }
  if flags & kCMBlockBufferAssureMemoryNowFlag != 0, !buffer.assureMemory() {
    return kCMBlockBufferBlockAllocationFailedErr
  }
  unsafe blockBufferOut.pointee = buffer
  return kCMBlockBufferNoErr
}

@discardableResult
public func CMBlockBufferAssureBlockMemory(_ theBuffer: CMBlockBuffer) -> OSStatus {
  theBuffer.assureMemory() ? kCMBlockBufferNoErr : kCMBlockBufferBlockAllocationFailedErr
}

public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.isEmpty }

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

/// All following bytes are contiguous, because a buffer has a single block here.
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
