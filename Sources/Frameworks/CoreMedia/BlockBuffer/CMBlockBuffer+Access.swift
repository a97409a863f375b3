// Models the access functions of CoreMedia/CMBlockBuffer.h.

/// Returns the number of bytes in a block buffer.
public func CMBlockBufferGetDataLength(_ theBuffer: CMBlockBuffer) -> Int { theBuffer.dataLength }

/// Returns whether a block buffer has no bytes.
public func CMBlockBufferIsEmpty(_ theBuffer: CMBlockBuffer) -> Bool { theBuffer.isEmpty }

/// Copies bytes into a block buffer.
/// - Returns: `kCMBlockBufferNoErr`, or the code of an offset or a length outside of the buffer, which stays unchanged.
@discardableResult
public func CMBlockBufferReplaceDataBytes(
  with sourceBytes: UnsafeRawPointer, blockBuffer destinationBuffer: CMBlockBuffer,
  offsetIntoDestination: Int, dataLength: Int
) -> OSStatus {
  let code = destinationBuffer.check(offset: offsetIntoDestination, length: dataLength)
  guard code == kCMBlockBufferNoErr else { return code }
  // UNSAFE: the range is checked to lie within the block; the caller's bytes are valid for the call.
  unsafe (destinationBuffer.base + offsetIntoDestination).copyMemory(from: sourceBytes, byteCount: dataLength)
  withExtendedLifetime(destinationBuffer) {}
  return kCMBlockBufferNoErr
}

/// Copies bytes out of a block buffer.
/// - Returns: `kCMBlockBufferNoErr`, or the code of an offset or a length outside of the buffer; then nothing is copied.
@discardableResult
public func CMBlockBufferCopyDataBytes(
  _ theSourceBuffer: CMBlockBuffer, atOffset offsetToData: Int, dataLength: Int,
  destination: UnsafeMutableRawPointer
) -> OSStatus {
  let code = theSourceBuffer.check(offset: offsetToData, length: dataLength)
  guard code == kCMBlockBufferNoErr else { return code }
  // UNSAFE: the range is checked to lie within the block; the caller's memory is valid for the call.
  unsafe destination.copyMemory(from: theSourceBuffer.base + offsetToData, byteCount: dataLength)
  withExtendedLifetime(theSourceBuffer) {}
  return kCMBlockBufferNoErr
}

/// Returns the address of a block buffer's bytes at an offset, valid as long as the buffer.
/// - Parameters:
///   - lengthAtOffsetOut: the contiguous bytes at the address: all that follow, as there is one block.
///   - totalLengthOut: the bytes of the whole buffer.
/// - Returns: `kCMBlockBufferNoErr`, or `kCMBlockBufferBadOffsetParameterErr`.
@discardableResult
public func CMBlockBufferGetDataPointer(
  _ theBuffer: CMBlockBuffer, atOffset offset: Int, lengthAtOffsetOut: UnsafeMutablePointer<Int>?,
  totalLengthOut: UnsafeMutablePointer<Int>?,
  dataPointerOut: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> OSStatus {
  guard offset >= 0, offset < theBuffer.dataLength else { return kCMBlockBufferBadOffsetParameterErr }
  // UNSAFE: the caller's out parameters; the pointer is within the block.
  unsafe lengthAtOffsetOut?.pointee = theBuffer.dataLength - offset
  unsafe totalLengthOut?.pointee = theBuffer.dataLength
  unsafe dataPointerOut?.pointee = unsafe (theBuffer.base + offset).assumingMemoryBound(to: CChar.self)
  return kCMBlockBufferNoErr
}

extension CMBlockBuffer {
  fileprivate func check(offset: Int, length: Int) -> OSStatus {
    guard offset >= 0, offset <= dataLength else { return kCMBlockBufferBadOffsetParameterErr }
    guard length >= 0, length <= dataLength - offset else { return kCMBlockBufferBadLengthParameterErr }
    return kCMBlockBufferNoErr
  }
}
