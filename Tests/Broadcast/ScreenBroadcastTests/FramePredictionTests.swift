import Testing

@testable import ScreenBroadcast

@Suite struct FramePredictionTests {
  private static let period: UInt64 = 16_666_667

  @Test func nothingIsPredictedBeforeThereIsARhythm() {
    var prediction = FramePrediction()
    for index in 0..<5 as Range<UInt64> {
      #expect(prediction.next == nil)
      prediction.frameCame(at: 1000 + index * Self.period)
    }
    prediction.frameCame(at: 1000 + 5 * Self.period)
    #expect(prediction.next == 1000 + 6 * Self.period)
  }

  @Test func aFrameThatIsALittleLateShiftsThePredictionByThat() throws {
    var prediction = FramePrediction()
    for index in 0..<40 as Range<UInt64> {
      prediction.frameCame(at: index * Self.period + (index % 3) * 100_000)
    }
    let due = try #require(prediction.next)
    #expect(due > 40 * Self.period - 300_000 && due < 40 * Self.period + 300_000)
  }

  @Test(arguments: [8_000_000, 33_000_000, 400_000_000, 0] as [UInt64])
  func anotherRhythmOrAPauseBeginsAnew(gap: UInt64) {
    var prediction = FramePrediction()
    for index in 0..<20 as Range<UInt64> { prediction.frameCame(at: index * Self.period) }
    #expect(prediction.next != nil)
    prediction.frameCame(at: 19 * Self.period + gap)
    #expect(prediction.next == nil)
  }
}
