import CoreMedia
import Testing

@Suite struct CMTimeTests {
  @Test func secondsAreValueOverTimescale() {
    #expect(CMTime(value: 3, timescale: 2).seconds == 1.5)
    #expect(CMTimeGetSeconds(CMTimeMake(value: -90_000, timescale: 90_000)) == -1)
    #expect(CMTime.zero.seconds == 0)
  }

  @Test func timesThatAreNotNumericHaveNoSeconds() {
    #expect(CMTime.invalid.seconds.isNaN)
    #expect(CMTime.indefinite.seconds.isNaN)
    #expect(CMTime.positiveInfinity.seconds == .infinity)
    #expect(CMTime.negativeInfinity.seconds == -.infinity)
  }

  @Test(arguments: [0, -1] as [CMTimeScale])
  func aTimescaleThatIsNotPositiveMakesTheInvalidTime(timescale: CMTimeScale) {
    #expect(!CMTime(value: 1, timescale: timescale).isValid)
    #expect(!CMTimeMakeWithSeconds(1, preferredTimescale: timescale).isValid)
  }

  @Test func secondsBecomeTheNearestValue() {
    let exact = CMTimeMakeWithSeconds(0.5, preferredTimescale: 600)
    #expect(exact.value == 300 && exact.timescale == 600 && !exact.hasBeenRounded)
    let rounded = CMTime(seconds: 1.0 / 3, preferredTimescale: 10)
    #expect(rounded.value == 3 && rounded.hasBeenRounded)
    let same = CMTimeMakeWithSeconds(0.57, preferredTimescale: 100)
    #expect(same.value == 57 && !same.hasBeenRounded)
    #expect(!CMTime(seconds: .nan, preferredTimescale: 1).isValid)
    #expect(CMTime(seconds: -.infinity, preferredTimescale: 600).isNegativeInfinity)
    let large = CMTime(seconds: 1e12, preferredTimescale: 1_000_000_000)
    #expect(large.isNumeric && large.timescale < 1_000_000_000 && large.seconds == 1e12)
  }

  @Test func equalFractionsAreEqualTimes() {
    #expect(CMTime(value: 1, timescale: 2) == CMTime(value: 2, timescale: 4))
    #expect(CMTime(value: 1, timescale: 3) < CMTime(value: 34, timescale: 100))
    #expect(CMTime(value: .max, timescale: 1) > CMTime(value: .max, timescale: 2))
  }

  @Test func kindsOfTimesHaveAnOrder() {
    let ordered: [CMTime] = [.negativeInfinity, .zero, .indefinite, .positiveInfinity, .invalid]
    for (first, second) in zip(ordered, ordered.dropFirst()) {
      #expect(CMTimeCompare(first, second) == -1)
      #expect(CMTimeCompare(second, first) == 1)
    }
    for time in ordered { #expect(CMTimeCompare(time, time) == 0) }
  }

  @Test func sumsUseTheCommonTimescale() {
    let sum = CMTime(value: 1, timescale: 30) + CMTime(value: 1, timescale: 24)
    #expect(sum.value == 9 && sum.timescale == 120)
    let difference = CMTime(value: 1, timescale: 2) - CMTime(value: 3, timescale: 2)
    #expect(difference.value == -2 && difference.timescale == 2)
  }

  @Test func sumsThatDoNotFitAreRoundedOrInfinite() {
    let rounded = CMTime(value: 1, timescale: 2_147_483_647) + CMTime(value: 1, timescale: 2_147_483_646)
    #expect(
      rounded.timescale == CMTimeScale(kCMTimeMaxTimescale) && rounded.hasBeenRounded && rounded.value == 2)
    let halved = CMTime(value: .max, timescale: 2) + CMTime(value: 1, timescale: 2)
    #expect(halved.timescale == 1 && halved.value == 1 << 62)
    #expect((CMTime(value: .max, timescale: 1) + CMTime(value: 1, timescale: 1)).isPositiveInfinity)
    #expect((CMTime(value: .min, timescale: 1) - CMTime(value: 1, timescale: 1)).isNegativeInfinity)
  }

  @Test func sumsWithANonNumericTimeKeepItsKind() {
    #expect(!(CMTime.zero + .invalid).isValid)
    #expect((CMTime.zero + .indefinite).isIndefinite)
    #expect((CMTime.indefinite + .positiveInfinity).isPositiveInfinity)
    #expect((CMTime.indefinite - .positiveInfinity).isNegativeInfinity)
    #expect((CMTime.zero - .positiveInfinity).isNegativeInfinity)
    #expect(!(CMTime.positiveInfinity + .negativeInfinity).isValid)
    #expect((CMTime.positiveInfinity - .negativeInfinity).isPositiveInfinity)
  }

  @Test func timesOfDifferentEpochsAreNotAdded() {
    let first = CMTime(value: 5, timescale: 1, flags: .valid, epoch: 1)
    let second = CMTime(value: 1, timescale: 1, flags: .valid, epoch: 2)
    #expect(first < second)
    #expect(!(first + second).isValid)
    #expect((first + .zero).epoch == 1)
    #expect((first - first).epoch == 0 && (first + first).epoch == 0)
    #expect((first - .zero).epoch == 1)
  }

  @Test(
    arguments: [
      (.roundHalfAwayFromZero, 3, -3), (.roundTowardZero, 2, -2), (.roundAwayFromZero, 3, -3),
      (.quickTime, 2, -2), (.roundTowardPositiveInfinity, 3, -2), (.roundTowardNegativeInfinity, 2, -3),
    ] as [(CMTimeRoundingMethod, CMTimeValue, CMTimeValue)])
  func aConversionRoundsByItsMethod(method: CMTimeRoundingMethod, up: CMTimeValue, down: CMTimeValue) {
    let half = CMTime(value: 5, timescale: 2)
    let converted = CMTimeConvertScale(half, timescale: 1, method: method)
    #expect(converted.value == up && converted.timescale == 1 && converted.hasBeenRounded)
    #expect(CMTime(value: -5, timescale: 2).convertScale(1, method: method).value == down)
  }

  @Test func aNegativeTimeNeverBecomesZeroByTheMethodOfQuickTime() {
    let converted = CMTime(value: -1, timescale: 1000).convertScale(1, method: .quickTime)
    #expect(converted.value == -1 && converted.hasBeenRounded)
    #expect(CMTime(value: 1, timescale: 1000).convertScale(1, method: .quickTime).value == 0)
  }

  @Test func productsKeepTheScale() {
    let product = CMTimeMultiply(CMTime(value: 2, timescale: 60), multiplier: -3)
    #expect(product.value == -6 && product.timescale == 60)
    #expect(CMTimeMultiply(.positiveInfinity, multiplier: -1).isNegativeInfinity)
    #expect(CMTimeMultiply(CMTime(value: .max, timescale: 1), multiplier: 2).isPositiveInfinity)
  }

  @Test func anExactConversionIsNotMarkedAsRounded() {
    let converted = CMTime(value: 5, timescale: 2).convertScale(1000, method: .default)
    #expect(converted.value == 2500 && !converted.hasBeenRounded)
    #expect(CMTime.indefinite.convertScale(10, method: .default).isIndefinite)
    #expect(CMTime(value: .max, timescale: 1).convertScale(2, method: .default).isPositiveInfinity)
    #expect(!CMTime.zero.convertScale(0, method: .default).isValid)
  }
}
