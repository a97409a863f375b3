import Foundation
import Testing

@testable import BroadcastHost

@Suite struct MemoryUseTests {
  @Test func whatWasWrittenCountsAndWhatIsMappedDoesNot() throws {
    let text = """
      55d0a000-7ffe000 ---p 00000000 00:00 0    [rollup]
      Rss:               20480 kB
      Pss:               10000 kB
      Anonymous:          5120 kB
      """
    let use = try #require(MemoryUse(smapsRollup: text))
    #expect(use.footprint == 5 << 20)
    #expect(use.mappedFiles == 15 << 20)
    #expect(use.description == "5.0 MB private (10 % of the 50.0 MB iOS allows), 15.0 MB in mapped files")
  }

  @Test(arguments: [
    "", "Rss: 5 kB", "Anonymous: 5 kB", "Rss: x kB\nAnonymous: 5 kB", "Rss: -1 kB\nAnonymous: 5 kB",
    "Rss: 5\nAnonymous: 5",
  ])
  func aTextWithoutBothNumbersTellsNothing(_ text: String) {
    #expect(MemoryUse(smapsRollup: text) == nil)
  }

  @Test func numbersThatContradictEachOtherDoNotTrap() {
    #expect(
      MemoryUse(smapsRollup: "Rss: 1 kB\nAnonymous: 2 kB")
        == MemoryUse(smapsRollup: "Rss: 2 kB\nAnonymous: 2 kB"))
    #expect(MemoryUse(smapsRollup: "Rss: 18446744073709551615 kB\nAnonymous: 18446744073709551615 kB") != nil)
  }

  @Test func thisProcessHasSome() throws {
    #expect(try #require(MemoryUse.current()).footprint > 0)
    #expect(MemoryUse.current(statistics: "/nonexistent") == nil)
  }
}
