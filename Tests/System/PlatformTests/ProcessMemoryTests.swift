import TestSupport

@testable import Platform

@Suite struct ProcessMemoryTests {
  @Test func writtenMemoryIsDistinctFromMappedAndSharedFromPrivate() throws {
    let text = """
      00400000-7fff ---p 00000000 00:00 0    [rollup]
      Rss:               20000 kB
      Shared_Clean:          3 kB
      Anonymous:          5120 kB
      """
    let memory = try #require(ProcessMemory(smapsRollup: text))
    #expect((memory.resident, memory.anonymous) == (20_000 << 10, 5 << 20))
  }

  @Test(arguments: [
    "", "Rss: 5 kB", "Anonymous: 5 kB", "Rss: x kB\nAnonymous: 5 kB", "Rss: -1 kB\nAnonymous: 5 kB",
    "Rss: 5\nAnonymous: 5",
  ]) func aTextWithoutBothNumbersIsRefused(_ text: String) {
    #expect(ProcessMemory(smapsRollup: text) == nil)
  }

  @Test func numbersOfAnySizeDoNotTrap() {
    let largest = UInt64.max
    let sums = ["Shared_Clean", "Shared_Dirty", "Private_Clean", "Private_Dirty"]
    let text = (["Rss", "Anonymous"] + sums).map { "\($0): \(largest) kB" }.joined(separator: "\n")
    #expect(ProcessMemory(smapsRollup: text) != nil)
    #expect(ProcessMemory.roughAnonymousBytes(statm: "\(largest) \(largest) 0") == nil)
  }

  @Test(arguments: [
    ("900 500 200 1 0 300 0\n", 300), ("900 200 500 1 0 300 0", 0), ("", nil), ("900 500", nil),
    ("900 x 200", nil),
  ]) func aRoughLookCountsPagesThatAreInNoFile(_ text: String, _ pages: UInt64?) {
    #expect(ProcessMemory.roughAnonymousBytes(statm: text) == pages.map { $0 * UInt64(System.pageSize) })
  }

  @Test(arguments: [(1, 4096, 2), (2, 4096, 2), (16, 4096, 2), (64, 4096, 32), (8, 65536, 16)])
  func aRoughLookIsTheMoreWrongTheMoreProcessorsCount(_ processors: Int, _ pageSize: Int, _ megabytes: UInt64)
  {
    #expect(ProcessMemory.roughErrorBytes(processors: processors, pageSize: pageSize) == megabytes << 20)
  }

  @Test func thisProcessHasSomeAndAnotherCanBeAsked() throws {
    let mine = try ProcessMemory.measure()
    #expect(mine.anonymous > 0 && mine.resident >= mine.anonymous)
    #expect(try ProcessMemory.measure(pid: getpid()).anonymous > 0)
    #expect(try ProcessMemory.roughAnonymousBytes() > 0)
    #expect(throws: FileError.self) { try ProcessMemory.measure(pid: -5) }
  }
}
