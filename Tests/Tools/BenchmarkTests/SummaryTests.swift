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

  @Test func aDistributionHasItsMedianAndItsSlowestHundredth() throws {
    let distribution = try #require(Distribution((0...100).reversed().map { .nanoseconds($0) }))
    #expect(distribution.median == .nanoseconds(50))
    #expect(distribution.p99 == .nanoseconds(99))
    #expect(Distribution([])?.median == nil)
  }
}
