import EmulatedDevice
import Platform
import Testing

@testable import EmulatedSystem

@Suite struct MemoryUseTests {
  private func memory(resident: UInt64, anonymous: UInt64) -> ProcessMemory {
    var memory = ProcessMemory()
    (memory.resident, memory.anonymous) = (resident, anonymous)
    return memory
  }

  @Test func writtenMemoryCountsAndMappedFilesDoNot() {
    let use = MemoryUse(memory(resident: 20 << 20, anonymous: 5 << 20))
    #expect(use.footprint == 5 << 20)
    #expect(use.mappedFiles == 15 << 20)
    #expect(
      use.text(of: Device.usualMemoryLimit)
        == "5.0 MB private (10 % of the 50.0 MB iOS allows), 15.0 MB in mapped files")
    #expect(use.text(of: 10 << 20) == "5.0 MB private (50 % of the 10.0 MB allowed), 15.0 MB in mapped files")
  }

  @Test func memoryOfTheSystemIsNotTheExtensions() {
    let whole = memory(resident: 20 << 20, anonymous: 5 << 20)
    #expect(MemoryUse(whole, system: 2 << 20).footprint == 3 << 20)
    #expect(MemoryUse(whole, system: .max).footprint == 0)
  }

  @Test func contradictoryNumbersDoNotTrap() {
    #expect(MemoryUse(memory(resident: 1, anonymous: 2)).mappedFiles == 0)
    #expect(MemoryUse(memory(resident: .max, anonymous: .max)).footprint == .max)
  }

  // The end-to-end test of the limit checks in another process that this memory counts.
  @Test func allocatedMemoryIsKept() throws {
    let before = ExtensionMemory.allocatedByteCount
    ExtensionMemory.allocate(5_000_000)
    ExtensionMemory.allocate(0)
    ExtensionMemory.allocate(-1)
    #expect(ExtensionMemory.allocatedByteCount == before + 5_000_000)
    #expect(try ExtensionMemory().use().footprint > 0)
  }
}
