import Testing

@testable import SoundFormats

@Suite struct SampleConverterTests {
  private func convert(
    _ samples: [Int16], _ rate: Int, _ channels: Int = 1, to targetRate: Int, _ targetChannels: Int = 1,
    packet: Int = .max
  ) -> [Int16] {
    var converter = SampleConverter(to: WAVEFormat(sampleRate: targetRate, channelCount: targetChannels))
    let format = WAVEFormat(sampleRate: rate, channelCount: channels)
    var (rest, converted) = (samples[...], [Int16]())
    while !rest.isEmpty {
      converted += converter.convert(Array(rest.prefix(packet)), from: format)
      rest = rest.dropFirst(packet)
    }
    return converted
  }

  @Test func samplesOfTheFormatStayAsTheyAre() {
    #expect(convert([1, .min, .max, 4], 48_000, to: 48_000) == [1, .min, .max, 4])
    #expect(convert([1, 2, 3, 4], 48_000, 2, to: 48_000, 2) == [1, 2, 3, 4])
  }

  @Test func channelsAreMixed() {
    #expect(convert([1, 2, 3], 48_000, 1, to: 48_000, 2).prefix(4) == [1, 1, 2, 2])
    #expect(convert([10, 20, .min, .max, 4, 4], 48_000, 2, to: 48_000) == [15, 0, 4])
  }

  @Test func aLowerRateHasTheMeanAndAHigherOneIsInterpolated() {
    #expect(convert([0, 10, 20, 30, 40, 50], 48_000, to: 24_000) == [5, 25, 45])
    #expect(
      convert([0, 0, 10, 10, 20, 20], 48_000, 2, to: 96_000, 2) == [0, 0, 5, 5, 10, 10, 15, 15, 20, 20])
  }

  @Test(arguments: [(24_000, 48_000), (48_000, 24_000), (44_100, 48_000), (48_000, 44_100), (8_000, 48_000)])
  func packetsMakeNoDifferenceAndNoTimeIsLost(rate: Int, target: Int) {
    let samples = (0..<rate / 2).map { Int16(truncatingIfNeeded: $0 * $0 % 30_011) }
    let whole = convert(samples, rate, to: target)
    #expect(abs(whole.count - target / 2) <= 1 + target / rate)
    for packet in [1, 7, 1_024] {
      let parts = convert(samples, rate, to: target, packet: packet)
      #expect(
        zip(whole, parts).allSatisfy { abs(Int($0) - Int($1)) <= 1 } && abs(whole.count - parts.count) <= 1)
    }
  }

  @Test func aToneKeepsItsPitchAndLevel() {
    // 1 kHz at 24 kHz: a zero every twelve samples.
    let tone = (0..<24_000).map { Int16(10_000 * sine($0, of: 24)) }
    let converted = convert(tone, 24_000, to: 48_000)
    let crossings = zip(converted, converted.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect((998...1_000).contains(crossings))
    #expect((9_900...10_000).contains(converted.max() ?? 0))
  }

  private func sine(_ index: Int, of period: Int) -> Double {
    // A parabola per half period is close enough to a sine.
    let phase = Double(index % period) / Double(period)
    let half = phase < 0.5 ? phase * 2 : phase * 2 - 1
    return (phase < 0.5 ? 1 : -1) * 4 * half * (1 - half)
  }

  @Test func eachFormatOfAStreamIsConverted() {
    var converter = SampleConverter(to: WAVEFormat(sampleRate: 1_000, channelCount: 1))
    let (own, double) = (
      WAVEFormat(sampleRate: 1_000, channelCount: 1), WAVEFormat(sampleRate: 2_000, channelCount: 1)
    )
    #expect(converter.convert([1, 2], from: own) == [1, 2])
    #expect(converter.convert([10, 20, 30], from: double) == [15])
    #expect(converter.convert([40], from: double) == [35])
    #expect(converter.convert([5], from: own) == [5])
    // What was left of the format before is not mixed with this.
    #expect(converter.convert([10, 20], from: double) == [15])
  }
}
