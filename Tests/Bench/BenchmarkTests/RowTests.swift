import Testing
import ToolSupport

@testable import benchmark

@Suite struct RowTests {
  private func row(_ values: [Double?], beside: String? = nil, bar: Bar? = nil) -> Row {
    var row = Row(.ring, "a", "A", .microseconds, beside: beside, bar: bar)
    row.values = values
    return row
  }

  private func judgement(_ values: [Double?], beside reference: [Double?]?, _ bar: Bar) -> String? {
    row(values, beside: "b", bar: bar).judgement(beside: reference.map { row($0) })
  }

  @Test func aRatioIsTheOneOfARoundThatMeasuredBoth() {
    // The host was twice as slow in the second round, so the ratio of the rows is the same.
    #expect(row([10, 20, 33]).ratios(to: row([5, 10, 11])) == [2, 2, 3])
    #expect(row([nil, 2, 3, 8]).ratios(to: row([10, nil, 30, 40])) == [0.1, 0.2])
    #expect(row([10, 20]).ratios(to: nil) == [])
  }

  @Test(arguments: [
    (Bar.atMost(2), true), (.atMost(1.9), false), (.atLeast(2), true), (.atLeast(2.1), false),
  ]) func aBarIsMetByTheMedian(_ bar: Bar, _ isMet: Bool) {
    #expect(judgement([10, 20, 90], beside: [9.5, 10, 10.5], bar) == (isMet ? "met" : "MISSED"))
  }

  @Test(arguments: [[nil], nil] as [[Double?]?])
  func aBarOnARatioThatIsMissingIsNotJudged(_ reference: [Double?]?) {
    #expect(
      judgement([10], beside: reference, .atMost(2)) == "not judged: the reference was not measured")
    #expect(judgement([nil], beside: reference, .atMost(2)) == nil)
  }

  @Test func roundsInWhichTheReferenceWasNotSteadyAreLeftOut() {
    // The third and the fifth round are slower for all rows, so their ratios do not count.
    #expect(judgement([10, 11, 90, 10, 95], beside: [10, 10, 20, 10, 30], .atMost(1.2)) == "met")
    #expect(judgement([13, 13, 13], beside: [10, 10.5, 30], .atMost(1.2)) == "MISSED")
  }

  @Test func withoutASteadyReferenceNothingIsJudged() {
    #expect(
      judgement([10, 20, 30, 40, 50], beside: [22, 29, 36, 45, 54], .atMost(0.1))
        == "not judged: the reference varied from 22 to 54 µs")
  }

  @Test func aRoundWithoutFiguresHasItsReasonAndTheOthersTheirFigures() throws {
    var rounds: [Double?] = [nil, nil, 3]
    let measurement = Measurement([row([])]) {
      guard let figure = rounds.removeFirst() else { throw NotMeasured(reason: "no frame") }
      return ["a": figure]
    }
    // Each reason is returned once.
    #expect(try (1...3).map { _ in try measurement.run() } == ["no frame", nil, nil])
    #expect(measurement.rows[0].values == [nil, nil, 3] && measurement.rows[0].skipped == "no frame")
  }

  @Test func anotherErrorEndsTheRun() {
    let failing = Measurement([row([])]) { throw CheckFailure("the sender exited with code 1") }
    #expect(throws: CheckFailure.self) { try failing.run() }
  }

  @Test func aSummaryHasTheMedianAndTheExtremes() throws {
    #expect(try #require(Summary([9, 1, 5])).texts == ["5", "1", "9"])
    #expect(try #require(Summary([8, 1, 2, 4])).median == 3)
    #expect(Summary([]) == nil)
  }

  @Test func aResultHasTheMedianOfItsTimes() {
    func result(_ times: [Duration]) -> JobResult { JobResult(times, elapsed: .zero, processor: .zero) }
    let some = result((0...100).reversed().map { .nanoseconds($0) })
    #expect(some.frames == 101 && some.median == .nanoseconds(50))
    #expect(result([]).median == nil)
  }
}
