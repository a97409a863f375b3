import CoreMedia
import Testing

extension CMTime {
  /// The kind of a time that is not numeric, else its value, its scale, `~` if it was rounded, and its epoch.
  fileprivate var text: String {
    if isPositiveInfinity { return "+∞" }
    if isNegativeInfinity { return "-∞" }
    guard isValid else { return "invalid" }
    guard !isIndefinite else { return "indefinite" }
    return "\(value)/\(timescale)\(hasBeenRounded ? "~" : "")\(epoch == 0 ? "" : " in epoch \(epoch)")"
  }
}

private func time(_ value: CMTimeValue, _ timescale: CMTimeScale, epoch: CMTimeEpoch = 0) -> CMTime {
  CMTime(value: value, timescale: timescale, flags: .valid, epoch: epoch)
}

private func ratio(_ time: CMTime, _ multiplier: Int32, _ divisor: Int32) -> CMTime {
  CMTimeMultiplyByRatio(time, multiplier: multiplier, divisor: divisor)
}

@Suite struct CMTimeTests {
  @Test func secondsAreValueOverTimescale() {
    let times = [
      CMTime(value: 3, timescale: 2), CMTimeMake(value: -90_000, timescale: 90_000), .zero, .positiveInfinity,
      .negativeInfinity,
    ]
    #expect(times.map(\.seconds) == [1.5, -1, 0, .infinity, -.infinity])
    #expect(CMTime.invalid.seconds.isNaN && CMTime.indefinite.seconds.isNaN)
  }

  @Test(
    arguments: [
      (0.5, 600, "300/600"), (1.0 / 3, 10, "3/10~"), (0.57, 100, "57/100"), (.nan, 1, "invalid"),
      (-.infinity, 600, "-∞"), (1, 0, "invalid"), (1, -1, "invalid"),
    ] as [(Double, CMTimeScale, String)])
  func secondsBecomeTheNearestValue(seconds: Double, timescale: CMTimeScale, text: String) {
    #expect(CMTime(seconds: seconds, preferredTimescale: timescale).text == text)
    #expect(CMTimeMakeWithSeconds(seconds, preferredTimescale: timescale).text == text)
    #expect(timescale > 0 || !CMTime(value: 1, timescale: timescale).isValid)
    let large = CMTime(seconds: 1e12, preferredTimescale: 1_000_000_000)
    #expect(large.isNumeric && large.timescale < 1_000_000_000 && large.seconds == 1e12)
  }

  @Test func equalFractionsAreEqualTimes() {
    #expect(time(1, 2) == time(2, 4) && time(1, 3) < time(34, 100) && time(.max, 1) > time(.max, 2))
  }

  @Test func kindsOfTimesHaveAnOrder() {
    let ordered: [CMTime] = [.negativeInfinity, .zero, .indefinite, .positiveInfinity, .invalid]
    for (first, second) in zip(ordered, ordered.dropFirst()) {
      #expect((CMTimeCompare(first, second), CMTimeCompare(second, first)) == (-1, 1))
    }
    for time in ordered { #expect(CMTimeCompare(time, time) == 0) }
  }

  /// Sums have the common scale. Sums that do not fit are rounded or infinite.
  private static let sums: [(CMTime, CMTime, String)] = [
    (time(1, 30), time(1, 24), "9/120"), (time(1, .max), time(1, .max - 1), "2/\(kCMTimeMaxTimescale)~"),
    (time(.max, 1), time(1, 1), "+∞"), (.zero, .invalid, "invalid"), (.zero, .indefinite, "indefinite"),
    (.indefinite, .positiveInfinity, "+∞"), (.positiveInfinity, .negativeInfinity, "invalid"),
    (time(5, 1, epoch: 1), time(1, 1, epoch: 2), "invalid"), (time(5, 1, epoch: 1), .zero, "5/1 in epoch 1"),
    (time(5, 1, epoch: 1), time(5, 1, epoch: 1), "10/1"),
  ]
  private static let differences: [(CMTime, CMTime, String)] = [
    (time(1, 2), time(3, 2), "-2/2"), (time(.min, 1), time(1, 1), "-∞"), (.zero, .positiveInfinity, "-∞"),
    (.indefinite, .positiveInfinity, "-∞"), (.positiveInfinity, .negativeInfinity, "+∞"),
    (time(5, 1, epoch: 1), time(5, 1, epoch: 1), "0/1"), (time(5, 1, epoch: 1), .zero, "5/1 in epoch 1"),
  ]

  @Test func sumsAndDifferencesHaveTheCommonScaleAndKeepTheKind() {
    for (first, second, text) in Self.sums { #expect((first + second).text == text) }
    for (first, second, text) in Self.differences { #expect((first - second).text == text) }
    let halved = time(.max, 2) + time(1, 2)
    #expect(halved.timescale == 1 && halved.value == 1 << 62)
    #expect(time(5, 1, epoch: 1) < time(1, 1, epoch: 2))
  }

  @Test(
    arguments: [
      (.roundHalfAwayFromZero, 3, -3), (.roundTowardZero, 2, -2), (.roundAwayFromZero, 3, -3),
      (.quickTime, 2, -2), (.roundTowardPositiveInfinity, 3, -2), (.roundTowardNegativeInfinity, 2, -3),
    ] as [(CMTimeRoundingMethod, CMTimeValue, CMTimeValue)])
  func aConversionRoundsByItsMethod(method: CMTimeRoundingMethod, up: CMTimeValue, down: CMTimeValue) {
    #expect(CMTimeConvertScale(time(5, 2), timescale: 1, method: method).text == "\(up)/1~")
    #expect(time(-5, 2).convertScale(1, method: method).value == down)
  }

  /// A negative time never becomes zero by the method of QuickTime.
  private static let conversions: [(CMTime, String)] = [
    (time(-1, 1000).convertScale(1, method: .quickTime), "-1/1~"),
    (time(1, 1000).convertScale(1, method: .quickTime), "0/1~"),
    (time(5, 2).convertScale(1000, method: .default), "2500/1000"),
    (CMTime.indefinite.convertScale(10, method: .default), "indefinite"),
    (time(.max, 1).convertScale(2, method: .default), "+∞"),
    (CMTime.zero.convertScale(0, method: .default), "invalid"),
  ]
  private static let products: [(CMTime, String)] = [
    (CMTimeMultiply(time(2, 60), multiplier: -3), "-6/60"),
    (CMTimeMultiply(.positiveInfinity, multiplier: -1), "-∞"),
    (CMTimeMultiply(time(.max, 1), multiplier: 2), "+∞"), (ratio(time(10, 30), 3, 2), "15/30"),
    (ratio(time(10, 30), 1, -4), "-5/60"), (ratio(time(1, 60), 1, 2), "1/120"),
    (ratio(time(1, 1_000_000_007), 1, 1_000_000_009), "0/\(kCMTimeMaxTimescale)~"),
    (ratio(time(10, 30), -1, 0), "-∞"), (ratio(time(10, 30), 0, 0), "invalid"),
    (ratio(.negativeInfinity, 1, -2), "+∞"), (ratio(time(.max, 1), 2, 1), "+∞"),
  ]

  @Test(arguments: conversions + products) func conversionsAndProductsKeepTheKind(time: CMTime, text: String)
  {
    #expect(time.text == text)
  }
}
