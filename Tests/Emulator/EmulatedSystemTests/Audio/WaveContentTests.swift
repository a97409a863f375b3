import Foundation
import Platform
import SoundFormats
import TestPatterns
import TestSupport
import Testing

@testable import EmulatedSystem

@MainActor @Suite struct WaveContentTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  private func write(_ samples: [Int16], rate: Int, channels: Int, into folder: URL) throws -> String {
    let path = folder.appending(path: "audio.wav").path
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let writer = try WAVEWriter(
      FileHandle(forWritingTo: URL(filePath: path)), sampleRate: rate, channelCount: channels)
    try writer.write(samples)
    try writer.finish()
    return path
  }

  private func play(
    _ samples: [Int16], rate: Int, channels: Int = 1, loops: Bool = false, at streamRate: Int = 48_000,
    streamChannels: Int = 1, from frame: UInt64 = 0, count: Int
  ) throws -> [Int16] {
    try withFolder { folder in
      let content = try WaveContent(
        path: write(samples, rate: rate, channels: channels, into: folder), loops: loops,
        report: { Issue.record($0) })
      return content.samples(
        from: frame, count: count, channelCount: streamChannels,
        clock: SampleClock(start: MonotonicTime(nanoseconds: 5), sampleRate: streamRate))
    }
  }

  @Test func aFileWithTheStreamsRateIsPlayedUnchanged() throws {
    let samples: [Int16] = [1, -2, 300, .max, .min]
    #expect(try play(samples, rate: 48_000, count: 7) == samples + [0, 0])
    #expect(try play(samples, rate: 48_000, from: 3, count: 2) == [.max, .min])
    #expect(try play(samples, rate: 48_000, from: 1 << 40, count: 2) == [0, 0])
  }

  @Test func aLoopHasNoSeam() throws {
    let samples: [Int16] = [1, 2, 3]
    #expect(try play(samples, rate: 48_000, loops: true, count: 8) == [1, 2, 3, 1, 2, 3, 1, 2])
    #expect(try play(samples, rate: 48_000, loops: true, from: 3_000_000_001, count: 2) == [2, 3])
  }

  @Test func otherRatesAreInterpolatedLinearly() throws {
    #expect(
      try play([0, 300, 600, 300], rate: 16_000, count: 12)
        == [0, 100, 200, 300, 400, 500, 600, 500, 400, 300, 200, 100])
    #expect(try play([0, 1, 2, 3, 4, 5], rate: 48_000, at: 24_000, count: 3) == [0, 2, 4])
    #expect(try play([.min, .max], rate: 24_000, loops: true, count: 4) == [.min, -1, .max, 0])
  }

  @Test func packetsOfAnyLengthJoinSeamlessly() throws {
    let samples = (0..<9_000).map { Int16(truncatingIfNeeded: $0 * 37) }
    let content = try WaveContent(
      path: write(samples, rate: 22_050, channels: 1, into: folder), loops: true,
      report: { Issue.record($0) })
    let clock = SampleClock(start: MonotonicTime(nanoseconds: 5), sampleRate: 48_000)
    let whole = content.samples(from: 0, count: 30_000, channelCount: 1, clock: clock)
    var pieces: [Int16] = []
    while pieces.count < 30_000 {
      pieces += content.samples(from: UInt64(pieces.count), count: 1_000, channelCount: 1, clock: clock)
    }
    #expect(pieces == whole)
  }

  @Test func channelsAreDoubledOrAveraged() throws {
    #expect(try play([1, 2], rate: 48_000, streamChannels: 2, count: 2) == [1, 1, 2, 2])
    #expect(try play([10, 20, .min, .min], rate: 48_000, channels: 2, count: 2) == [15, .min])
    #expect(try play([1, 2, 3, 4], rate: 48_000, channels: 2, streamChannels: 2, count: 2) == [1, 2, 3, 4])
  }

  @Test func aFileThatIsTruncatedLaterIsReportedOnceAndFollowedBySilence() throws {
    let path = try write([Int16](repeating: 9, count: 500), rate: 48_000, channels: 1, into: folder)
    var errors: [WAVEReader.Error] = []
    let content = try WaveContent(path: path, loops: true, report: { errors.append($0) })
    try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 44 + 4)
    let clock = SampleClock(start: MonotonicTime(nanoseconds: 5), sampleRate: 48_000)
    #expect(content.samples(from: 0, count: 4, channelCount: 1, clock: clock) == [9, 9, 0, 0])
    for frame in [0, 4, 400] as [UInt64] {
      #expect(content.samples(from: frame, count: 2, channelCount: 1, clock: clock) == [0, 0])
    }
    #expect(errors.map(\.problem) == [.cutShort])
  }

  @Test func aLoopShorterThanAPacketIsReadOnce() throws {
    let path = try write([1, 2, 3], rate: 48_000, channels: 1, into: folder)
    let content = try WaveContent(path: path, loops: true, report: { Issue.record($0) })
    let clock = SampleClock(start: MonotonicTime(nanoseconds: 5), sampleRate: 48_000)
    #expect(content.samples(from: 0, count: 4, channelCount: 1, clock: clock) == [1, 2, 3, 1])
    try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 44)
    #expect(content.samples(from: 4, count: 6, channelCount: 1, clock: clock) == [2, 3, 1, 2, 3, 1])
  }
}
