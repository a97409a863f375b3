import Testing

@testable import benchmark

@Suite struct SummaryTests {
  @Test func theMedianOfAnOddCountIsTheMiddleOne() throws {
    let summary = try #require(Summary([9, 1, 5]))
    #expect((summary.median, summary.min, summary.max) == (5, 1, 9))
  }

  @Test func theMedianOfAnEvenCountIsTheMeanOfTheTwoInTheMiddle() throws {
    #expect(try #require(Summary([8, 1, 2, 4])).median == 3)
  }

  @Test func nothingHasNoSummary() { #expect(Summary([]) == nil) }

  @Test func aDistributionTellsItsMiddleAndItsSlowestHundredth() throws {
    let distribution = try #require(Distribution((0...100).reversed().map { UInt64($0) }))
    #expect(distribution.median == 50)
    #expect(distribution.p99 == 99)
    #expect(Distribution([]) == nil)
  }
}
