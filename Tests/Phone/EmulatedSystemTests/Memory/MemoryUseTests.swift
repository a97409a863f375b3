import EmulatedDevice
import TestSupport

@testable import EmulatedSystem

@Suite struct MemoryUseTests {
  private func memory(resident: UInt64, anonymous: UInt64) -> ProcessMemory {
    var memory = ProcessMemory()
    (memory.resident, memory.anonymous) = (resident, anonymous)
    return memory
  }

  @Test func writtenMemoryCountsAndMappedFilesDoNot() {
    let use = ReportedMemory(memory(resident: 20 << 20, anonymous: 5 << 20))
    #expect((use.footprint, use.mappedFiles) == (5 << 20, 15 << 20))
    #expect(
      use.text(of: Device.usualMemoryLimit)
        == "5.0 MiB private (10 % of the 50.0 MiB iOS allows), 15.0 MiB in mapped files")
    #expect(
      use.text(of: 10 << 20) == "5.0 MiB private (50 % of the 10.0 MiB allowed), 15.0 MiB in mapped files")
  }

  @Test func memoryOfTheSystemIsNotTheExtensions() {
    let whole = memory(resident: 20 << 20, anonymous: 5 << 20)
    #expect(ReportedMemory(whole, system: 2 << 20).footprint == 3 << 20)
    #expect(ReportedMemory(whole, system: .max).footprint == 0)
  }

  @Test func contradictoryNumbersDoNotTrap() {
    #expect(ReportedMemory(memory(resident: 1, anonymous: 2)).mappedFiles == 0)
    #expect(ReportedMemory(memory(resident: .max, anonymous: .max)).footprint == .max)
  }

  // The end-to-end test of the memory limit checks, in another process, that this memory counts.
  // This test has its own process, too, because events of other tests allocate memory.
  @Test func allocatedMemoryIsKept() async throws {
    await #expect(processExitsWith: .success) {
      ExtensionMemory.allocate(5_000_000)
      ExtensionMemory.allocate(0)
      ExtensionMemory.allocate(-1)
      #expect(ExtensionMemory.allocatedByteCount == 5_000_000)
      let footprint = try ExtensionMemory().use().footprint
      #expect(footprint > 0)
    }
  }

  @Test func mappingsAreReadWithTheirNamesAndAmounts() {
    let text = """
      00400000-00402000 r--p 00000000 fe:00 254163                     /usr/bin/a program (deleted)
      Size:                  8 kB
      Rss:                   8 kB
      Anonymous:             4 kB
      VmFlags: rd mr mw me
      7f0000000000-7f0000001000 ---p 00000000 00:00 0
      Rss:                   0 kB
      7ffe337d7000-7ffe337f8000 rw-p 00000000 00:00 0                          [stack]
      Rss:                  16 kB
      Anonymous:            16 kB
      """
    let mappings = MemoryMapping.parse(smaps: text)
    #expect(
      mappings.map { "\($0.name) \($0.isAccessible) \($0.resident) \($0.anonymous)" }
        == ["/usr/bin/a program (deleted) true 8192 4096", " false 0 0", "[stack] true 16384 16384"])
    #expect(mappings.first?.range == 0x400000..<0x402000)
  }

  @Test(arguments: ["", "Rss: 8 kB", "x-y rw-p 0 0 0", "8-4 rw-p 0 00:00 0", "4-8 rw 0 0 0 name", "4-8"])
  func whatIsNoMappingIsLeftOut(_ text: String) {
    #expect(MemoryMapping.parse(smaps: text) == [])
  }

  @Test func thisProcessHasAStackAndAHeapOrArenas() throws {
    let mappings = try MemoryMapping.all()
    #expect(mappings.contains { $0.name == "[stack]" })
    #expect(mappings.reduce(0) { $0 + $1.anonymous } > 0)
  }
}
