import Testing

@testable import benchmark

@Suite struct MeasuredTests {
  private func measured(_ values: [Double], beside besides: [Double], bar: Bar? = nil) -> Measured {
    Measured(
      row: Row("a", "A", .nanoseconds, beside: "b", bar: bar), group: .ring, values: values,
      besides: besides, skipped: nil, isFirst: true)
  }

  @Test func aRatioIsThatOfOneRound() {
    // The machine was twice as slow in the second round, which is no difference between the rows.
    #expect(measured([10, 20, 33], beside: [5, 10, 11]).ratios == [2, 2, 3])
  }

  @Test func withoutTheRowBesideThereIsNoRatio() {
    #expect(measured([10, 20], beside: []).ratios == [])
  }

  @Test(arguments: [
    (Bar.figureAtMost(20), true), (.figureAtMost(19), false), (.ratioAtMost(2), true),
    (.ratioAtMost(1.9), false),
    (.ratioAtLeast(2), true), (.ratioAtLeast(2.1), false),
  ])
  func aBarIsMetByTheMedian(_ bar: Bar, _ isMet: Bool) {
    #expect(measured([10, 20, 90], beside: [5, 10, 11], bar: bar).meetsBar == isMet)
  }

  @Test func aBarOnARatioThatIsMissingIsNotMet() {
    #expect(measured([10], beside: [], bar: .ratioAtMost(2)).meetsBar == false)
    #expect(measured([10], beside: [], bar: .ratioAtLeast(2)).meetsBar == false)
  }

  @Test func whatWasNotMeasuredIsNotJudged() {
    #expect(measured([], beside: [], bar: .figureAtMost(2)).meetsBar == nil)
  }
}
