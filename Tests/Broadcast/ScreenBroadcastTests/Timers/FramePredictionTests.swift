import Platform
import TestSupport
import Testing

@testable import ScreenBroadcast

@Suite struct FramePredictionTests {
  private static let period = Duration.nanoseconds(16_666_667)

  @Test func nothingIsPredictedBeforeThereIsAPeriod() {
    var prediction = FramePrediction()
    for index in 0..<5 as Range<UInt64> {
      #expect(prediction.next == nil)
      prediction.addFrame(at: 1000 + Self.period * Int(index))
    }
    prediction.addFrame(at: 1000 + Self.period * 5)
    #expect(prediction.next == 1000 + Self.period * 6)
  }

  @Test func aFrameThatIsALittleLateShiftsThePredictionByThat() throws {
    var prediction = FramePrediction()
    for index in 0..<40 as Range<UInt64> {
      prediction.addFrame(at: .zero + Self.period * Int(index) + .microseconds(index % 3 * 100))
    }
    let due = try #require(prediction.next)
    #expect(abs((due - (.zero + Self.period * 40)) / .microseconds(300)) < 1)
  }

  @Test(arguments: [8_000_000, 33_000_000, 400_000_000, 0] as [UInt64])
  func anotherPeriodOrAPauseStartsAgain(gap: UInt64) {
    var prediction = FramePrediction()
    for index in 0..<20 as Range<UInt64> { prediction.addFrame(at: .zero + Self.period * Int(index)) }
    #expect(prediction.next != nil)
    prediction.addFrame(at: .zero + Self.period * 19 + .nanoseconds(gap))
    #expect(prediction.next == nil)
  }
}
