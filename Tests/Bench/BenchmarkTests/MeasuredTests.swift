import Testing

@testable import benchmark

@Suite struct MeasuredTests {
  private func measured(_ values: [Double], beside besides: [Double], bar: Bar? = nil) -> Measured {
    Measured(
      row: Row("a", "A", .nanoseconds, beside: "b", bar: bar), group: .ring, values: values,
      besides: besides, besideUnit: .microseconds, skipped: nil, isFirst: true)
  }

  @Test func aRatioIsThatOfOneRound() {
    // The machine was twice as slow in the second round, which is no difference between the rows.
    #expect(measured([10, 20, 33], beside: [5, 10, 11]).ratios == [2, 2, 3])
  }

  @Test func withoutTheRowBesideThereIsNoRatio() {
    #expect(measured([10, 20], beside: []).ratios == [])
  }

  @Test(arguments: [
    (Bar.atMost(2), true), (.atMost(1.9), false), (.atLeast(2), true), (.atLeast(2.1), false),
  ])
  func aBarIsMetByTheMedian(_ bar: Bar, _ isMet: Bool) {
    let judgement = measured([10, 20, 90], beside: [9.5, 10, 10.5], bar: bar).judgement
    #expect(judgement == (isMet ? "met" : "MISSED"))
  }

  @Test(arguments: [Bar.atMost(2), .atLeast(2)])
  func aBarOnARatioThatIsMissingIsNotJudged(_ bar: Bar) {
    let row = measured([10], beside: [], bar: bar)
    #expect(row.judgement == "not judged: the reference was not measured")
  }

  @Test func whatWasNotMeasuredIsNotJudged() {
    #expect(measured([], beside: [], bar: .atMost(2)).judgement == nil)
  }

  @Test func roundsInWhichTheReferenceWasNotSteadyAreLeftOut() {
    // The third and the fifth round are slower in everything, and the ratio there says nothing.
    let rows = measured([10, 11, 90, 10, 95], beside: [10, 10, 20, 10, 30], bar: .atMost(1.2))
    #expect(rows.judgement == "met")
    #expect(measured([13, 13, 13], beside: [10, 10.5, 30], bar: .atMost(1.2)).judgement == "MISSED")
  }

  @Test func withoutASteadyReferenceNothingIsJudged() {
    let rows = measured([10, 20, 30, 40, 50], beside: [22, 29, 36, 45, 54], bar: .atMost(0.1))
    #expect(rows.judgement == "not judged: the reference varied from 22 to 54 µs")
  }
}
