import CoreMedia
import Testing

@Suite struct CMBlockBufferTests {
  @Test func bytesAreReadAsTheyWereWritten() throws {
    let buffer = try makeBlock([1, 2, 3, 4, 5])
    #expect(CMBlockBufferGetDataLength(buffer) == 5 && !CMBlockBufferIsEmpty(buffer))
    var bytes = [UInt8](repeating: 0, count: 3)
    // UNSAFE: a local variable of the requested size.
    #expect(unsafe CMBlockBufferCopyDataBytes(buffer, atOffset: 1, dataLength: 3, destination: &bytes) == 0)
    #expect(bytes == [2, 3, 4] && buffer.bytes == [1, 2, 3, 4, 5])
  }

  @Test func theBytesAreCopiedAsData() throws {
    let buffer = try makeBlock([1, 2, 3])
    let data = try buffer.dataBytes()
    // UNSAFE: the bytes of a local variable.
    unsafe CMBlockBufferReplaceDataBytes(
      with: [9], blockBuffer: buffer, offsetIntoDestination: 0, dataLength: 1)
    #expect(data == Data([1, 2, 3]))
    #expect(try buffer.dataBytes() == Data([9, 2, 3]))
    let error = #expect(throws: NSError.self) { try emptyBlock().dataBytes() }
    #expect((error?.domain, error?.code) == (NSOSStatusErrorDomain, Int(kCMBlockBufferUnallocatedBlockErr)))
  }

  @Test func theDataPointerComesWithTheLengthThatFollows() throws {
    let buffer = try makeBlock([9, 8, 7])
    var (here, total) = (0, 0)
    var pointer: UnsafeMutablePointer<CChar>?
    // UNSAFE: the out parameters are local variables; the pointer is read while the buffer lives.
    let code = unsafe CMBlockBufferGetDataPointer(
      buffer, atOffset: 1, lengthAtOffsetOut: &here, totalLengthOut: &total, dataPointerOut: &pointer)
    #expect(code == 0 && here == 2 && total == 3)
    #expect(unsafe pointer?.pointee == 8)
    withExtendedLifetime(buffer) {}
  }

  @Test(arguments: [(-1, 1), (4, 0), (0, 4), (2, 2), (0, -1), (1, Int.max)])
  func bytesOutsideAreRefused(offset: Int, length: Int) throws {
    let buffer = try makeBlock([1, 2, 3])
    var bytes = [UInt8](repeating: 0, count: 8)
    // UNSAFE: refused before a byte is accessed.
    let read = unsafe CMBlockBufferCopyDataBytes(
      buffer, atOffset: offset, dataLength: length, destination: &bytes)
    let written = unsafe CMBlockBufferReplaceDataBytes(
      with: bytes, blockBuffer: buffer, offsetIntoDestination: offset, dataLength: length)
    let isOffset = !(0...3).contains(offset)
    let expected = isOffset ? kCMBlockBufferBadOffsetParameterErr : kCMBlockBufferBadLengthParameterErr
    #expect(read == expected && written == expected && bytes.allSatisfy { $0 == 0 })
    #expect(buffer.bytes == [1, 2, 3])
  }

  @Test func aPartOfABlockIsABuffer() throws {
    var memory: [UInt8] = [1, 2, 3, 4]
    // UNSAFE: the memory outlives the buffer, and the buffer does not free it.
    try unsafe memory.withUnsafeMutableBytes { block in
      var buffer: CMBlockBuffer?
      let code = unsafe CMBlockBufferCreateWithMemoryBlock(
        allocator: nil, memoryBlock: block.baseAddress, blockLength: 4, blockAllocator: kCFAllocatorNull,
        customBlockSource: nil, offsetToData: 1, dataLength: 2, flags: 0, blockBufferOut: &buffer)
      #expect(code == 0)
      let part = try #require(buffer)
      #expect(part.bytes == [2, 3])
    }
    #expect(memory == [1, 2, 3, 4])
  }

  private func emptyBlock(_ flags: CMBlockBufferFlags = 0) throws -> CMBlockBuffer {
    var buffer: CMBlockBuffer?
    // UNSAFE: the out parameter is a local variable.
    let code = unsafe CMBlockBufferCreateWithMemoryBlock(
      allocator: nil, memoryBlock: nil, blockLength: 4, blockAllocator: nil, customBlockSource: nil,
      offsetToData: 0, dataLength: 4, flags: flags, blockBufferOut: &buffer)
    #expect(code == 0)
    return try #require(buffer)
  }

  private func dataPointerCode(_ buffer: CMBlockBuffer) -> OSStatus {
    CMBlockBufferGetDataPointer(
      buffer, atOffset: 0, lengthAtOffsetOut: nil, totalLengthOut: nil, dataPointerOut: nil)
  }

  @Test func memoryComesWhenItIsNeeded() throws {
    let buffer = try emptyBlock()
    var bytes: [UInt8] = [1, 2, 3, 4]
    #expect(CMBlockBufferGetDataLength(buffer) == 4)
    #expect(dataPointerCode(buffer) == kCMBlockBufferUnallocatedBlockErr)
    // UNSAFE: local variables of the sizes that are stated.
    let read = unsafe CMBlockBufferCopyDataBytes(buffer, atOffset: 0, dataLength: 4, destination: &bytes)
    #expect(read == kCMBlockBufferUnallocatedBlockErr && bytes == [1, 2, 3, 4])
    #expect(CMBlockBufferAssureBlockMemory(buffer) == kCMBlockBufferNoErr)
    #expect(dataPointerCode(buffer) == 0)
    #expect(dataPointerCode(try emptyBlock(kCMBlockBufferAssureMemoryNowFlag)) == 0)
  }

  @Test func aWriteAllocatesTheMemory() throws {
    let buffer = try emptyBlock()
    // UNSAFE: the bytes of the array are valid for the call.
    let code = unsafe CMBlockBufferReplaceDataBytes(
      with: [5, 6] as [UInt8], blockBuffer: buffer, offsetIntoDestination: 1, dataLength: 2)
    #expect(code == 0 && buffer.bytes == [0, 5, 6, 0])
  }

  @Test(arguments: [(0, 0, 0), (4, 5, 0), (4, 2, 3), (4, -1, 1), (4, 0, -1), (4, 1, Int.max)])
  func aBufferOutsideOfItsBlockIsRefused(length: Int, offset: Int, data: Int) {
    var buffer: CMBlockBuffer?
    // UNSAFE: the out parameter is a local variable.
    let code = unsafe CMBlockBufferCreateWithMemoryBlock(
      allocator: nil, memoryBlock: nil, blockLength: length, blockAllocator: nil, customBlockSource: nil,
      offsetToData: offset, dataLength: data, flags: 0, blockBufferOut: &buffer)
    #expect(code == kCMBlockBufferBadLengthParameterErr || code == kCMBlockBufferBadOffsetParameterErr)
    #expect(buffer == nil)
  }
}
