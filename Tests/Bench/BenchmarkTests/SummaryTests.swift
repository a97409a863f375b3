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

  @Test func aResultHasTheMedianOfItsTimesAndTheirSlowestHundredth() {
    func result(_ times: [Duration]) -> JobResult { JobResult(times, elapsed: .zero, processor: .zero) }
    let some = result((0...100).reversed().map { .nanoseconds($0) })
    #expect(some.frames == 101 && some.median == .nanoseconds(50) && some.p99 == .nanoseconds(99))
    #expect(result([]).median == nil && result([]).p99 == nil)
  }
}
