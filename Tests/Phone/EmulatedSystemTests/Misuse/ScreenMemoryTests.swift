import TestSupport

@testable import EmulatedSystem

@Suite struct ScreenMemoryTests {
  @Test func memoryThatIsNotProtectedIsZerosInWholePages() throws {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let memory = try ScreenMemory(byteCount: page + 1, isProtected: false, onMisuse: nil)
    #expect(memory.byteCount == 2 * page)
    let last = memory.byteCount - 1
    // UNSAFE: within the memory, which lives as long as the object.
    unsafe memory.base.storeBytes(of: 7, toByteOffset: last, as: UInt8.self)
    #expect(unsafe memory.base.load(fromByteOffset: last, as: UInt8.self) == 7)
    #expect(unsafe memory.base.load(as: UInt8.self) == 0)
  }

  @Test func moreMemoryThanCanBeGuardedIsAnErrorThatSaysSo() async {
    // In a separate process, because all tests of this process share the table.
    await #expect(processExitsWith: .success) {
      var memory: [ScreenMemory] = []
      let error = #expect(throws: FileError.self) {
        for _ in 0...4096 { memory.append(try ScreenMemory(byteCount: 1, isProtected: false, onMisuse: nil)) }
      }
      #expect(error == FileError(.tooManyMappings, "a buffer of the screen"))
      memory.removeLast()
      _ = try ScreenMemory(byteCount: 1, isProtected: false, onMisuse: nil)
    }
  }

  @Test func anAccessToProtectedMemoryIsReportedOnceAndSucceeds() throws {
    let misuses = Recorder<HandlerMisuse>()
    let memory = try ScreenMemory(byteCount: 4096, isProtected: true) { misuses.add($0) }
    for count in 1...2 {
      memory.willDeliver()
      // UNSAFE: as above. The first access ends the protection.
      unsafe memory.base.storeBytes(of: 9, as: UInt8.self)
      #expect(unsafe memory.base.load(as: UInt8.self) == 9)
      memory.didDeliver()
      #expect(misuses.values == Array(repeating: .unlocked, count: count))
    }
  }

  @Test func aSystemCallWithProtectedMemoryFailsAndIsNotReported() throws {
    let misuses = Recorder<HandlerMisuse>()
    let memory = try ScreenMemory(byteCount: 4096, isProtected: true) { misuses.add($0) }
    let pipe = Pipe()
    let descriptor = pipe.fileHandleForWriting.fileDescriptor
    let frame = memory.beginFrame()
    memory.willDeliver()
    // UNSAFE: as above; the kernel checks the protection itself.
    #expect(unsafe write(descriptor, memory.base, 16) == -1 && errno == EFAULT)
    memory.willLock(frame, byHardware: false)
    #expect(unsafe write(descriptor, memory.base, 16) == 16)
    memory.didUnlock(frame)
    memory.didDeliver()
    #expect(misuses.values.isEmpty)
  }

  /// Reads the frame with and without a lock, during the call and after it. The system's drawing before does not count.
  @Test func aFrameIsCountedOnceWhenTheHandlerReadsIt() throws {
    let reads = ReadFrames()
    let memory = try ScreenMemory(byteCount: 4096, isProtected: false, reads: reads, onMisuse: nil)
    let ways: [(UInt64) -> Void] = [
      { _ in }, { memory.willLock($0, byHardware: true) },
      { frame in
        for _ in 0..<2 {
          memory.willLock(frame, byHardware: false)
          memory.didUnlock(frame)
        }
      }, memory.wasAccessedUnlocked,
    ]
    for (count, read) in ways.enumerated() {
      for isLater in [false, true] {
        let frame = memory.beginFrame()
        memory.whileDrawing {}
        memory.willDeliver()
        if !isLater { read(frame) }
        memory.didDeliver()
        if isLater { read(frame) }
        memory.release(frame, isPixelBufferRetained: false)
        #expect(reads.count == 2 * UInt64(count) - (isLater || count == 0 ? 0 : 1))
      }
    }
  }

  @Test func theMemoryIsNotPrivate() throws {
    let memory = try ScreenMemory(byteCount: 1 << 20, isProtected: false, onMisuse: nil)
    // UNSAFE: as above.
    unsafe memset(memory.base, 1, memory.byteCount)
    let start = unsafe UInt64(UInt(bitPattern: memory.base))
    let mapping = try #require(try MemoryMapping.all().first { $0.range.contains(start) })
    #expect(mapping.resident >= 1 << 20 && mapping.anonymous == 0)
    withExtendedLifetime(memory) {}
  }
}
