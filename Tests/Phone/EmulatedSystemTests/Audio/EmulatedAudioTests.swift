import EmulatedDevice
import ReplayKit
import TestPatterns
import TestSupport

@testable import EmulatedSystem

@MainActor @Suite struct EmulatedAudioTests {
  /// Audio content in which the value of each sample is its index. It records the frames that were requested.
  @MainActor private final class CountingContent {
    var asked: [UInt64] = []
    var content: AudioContent {
      { [self] frame, count, channelCount, _ in
        asked.append(frame)
        return (0..<count * channelCount).map {
          Int16(truncatingIfNeeded: Int(frame) * channelCount + $0)
        }
      }
    }
  }

  private let start = MonotonicTime(nanoseconds: 7_777_777_777)

  private func bytes(_ sample: CMSampleBuffer) throws -> [UInt8] {
    let block = try #require(CMSampleBufferGetDataBuffer(sample))
    return block.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }

  /// The time of a sample since ``start``, in nanoseconds.
  private func offset(_ sample: CMSampleBuffer) -> Int64 {
    let time = CMSampleBufferGetPresentationTimeStamp(sample)
    #expect(time.timescale == 1_000_000_000)
    return time.value - Int64(start.nanoseconds)
  }

  /// App audio is big-endian stereo, and the microphone little-endian mono.
  @Test(
    arguments: [
      (RPSampleBufferType.audioApp, [0x08, 0x00, 0x08, 0x01], 4_096),
      (.audioMic, [0x00, 0x04, 0x01, 0x04], 2_048),
    ] as [(RPSampleBufferType, [UInt8], Int)])
  func theBytesHaveTheOrderOfTheirStream(type: RPSampleBufferType, first: [UInt8], count: Int) throws {
    let audio = EmulatedAudio(type: type, content: CountingContent().content, framesPerPacket: 1_024)
    audio.start(at: start)
    let bytes = try bytes(audio.samples(until: start + .milliseconds(50))[1])
    #expect((Array(bytes[..<4]), bytes.count) == (first, count))
  }

  @Test func packetsComeWhenTheyAreComplete() {
    let audio = EmulatedAudio(type: .audioMic, content: nil, framesPerPacket: 480)
    #expect(audio.samples(until: start).isEmpty)
    audio.start(at: start)
    #expect(audio.samples(until: .zero).isEmpty)
    #expect(audio.samples(until: start + .nanoseconds(9_999_999)).isEmpty)
    #expect(audio.samples(until: start + .milliseconds(10)).map(offset) == [0])
    #expect(audio.samples(until: start + .milliseconds(10)).isEmpty)
    #expect(audio.samples(until: start + .milliseconds(30)).map(offset) == [10_000_000, 20_000_000])
  }

  @Test(arguments: [1_024, 22_596]) func anHourOfPacketsHasExactTimes(packet: Int) throws {
    let audio = EmulatedAudio(type: .audioApp, content: nil, framesPerPacket: packet)
    audio.start(at: start)
    var count: UInt64 = 0
    var now = start
    var last: Int64 = 0
    for _ in 0..<12 {
      // After five minutes without a request, only the newest second is delivered, with its original times.
      now = now + .seconds(300)
      let samples = audio.samples(until: now)
      #expect(samples.count == max(1, 44_100 / packet))
      count += UInt64(samples.count)
      last = offset(try #require(samples.last))
    }
    let total = count + audio.packetsSkipped
    #expect(total == 3_600 * 44_100 / UInt64(packet))
    #expect(last == (Int64(total) - 1) * Int64(packet) * 1_000_000_000 / 44_100)
  }

  @Test func aPauseAdvancesTheTimeAndItsFramesAreNotDelivered() {
    let content = CountingContent()
    let audio = EmulatedAudio(type: .audioMic, content: content.content, framesPerPacket: 480)
    audio.start(at: start)
    _ = audio.samples(until: start + .milliseconds(25))
    audio.skip(to: start + .nanoseconds(500_000_001))
    #expect(audio.samples(until: start + .milliseconds(505)).isEmpty)
    let samples = audio.samples(until: start + .milliseconds(525))
    // The first frame after the pause's end, counted from the start.
    #expect(samples.map(offset) == [500_020_833, 510_020_833])
    #expect(content.asked == [0, 480, 24_001, 24_481])
    #expect(audio.packetsSkipped == 0)
    audio.skip(to: start)
    #expect(audio.samples(until: start + .milliseconds(525)).isEmpty)
  }

  /// The formats in public logs of devices (`Docs/Devices.md`).
  @Test(
    arguments: [
      (11, 22_062, 1, 44_100), (12, 22_596, 1, 44_100), (13, 1_024, 2, 44_100), (17, 1_024, 2, 48_000),
      (26, 1_024, 2, 48_000),
    ])
  func aVersionOfIOSHasItsFormats(ios: Int, frames: Int, channels: UInt32, microphone: Double) throws {
    let ios = try #require(IOSVersion("\(ios)"))
    for (type, frames, channels, rate) in [
      (RPSampleBufferType.audioApp, frames, channels, 44_100), (.audioMic, 1_024, 1, microphone),
    ] {
      let audio = EmulatedAudio(type: type, content: nil, ios: ios)
      audio.start(at: start)
      let packet = try #require(audio.samples(until: start + .seconds(1)).first)
      let format = try #require(CMSampleBufferGetFormatDescription(packet)?.audioStreamBasicDescription)
      #expect(CMSampleBufferGetNumSamples(packet) == frames)
      #expect(format.mChannelsPerFrame == channels && format.mSampleRate == rate)
      #expect(format.mFormatFlags == (type == .audioApp ? 0xE : 0xC))
    }
  }

  private func change(_ audio: EmulatedAudio, to route: String) throws {
    var (old, new) = (DeviceState(), DeviceState())
    // The previous route does not matter.
    old.route = try #require(AudioRoute(text: "8000x8"))
    new.route = try #require(AudioRoute(text: route))
    audio.follow(old, new)
  }

  @Test func anotherRouteContinuesBehindTheLastPacketInAnotherFormat() throws {
    let audio = EmulatedAudio(type: .audioMic, content: CountingContent().content, framesPerPacket: 480)
    audio.start(at: start)
    _ = audio.samples(until: start + .milliseconds(25))
    for (route, until, rate, channels, bytes) in [
      ("airpods", 40, 24_000, 1, 960), ("multi-camera", 50, 48_000, 3, 2_880),
      ("built-in", 60, 48_000, 1, 960),
    ] {
      try change(audio, to: route)
      let packet = try #require(audio.samples(until: start + .milliseconds(until)).first)
      let format = try #require(CMSampleBufferGetFormatDescription(packet)?.audioStreamBasicDescription)
      #expect(
        [offset(packet) / 1_000_000, Int64(format.mSampleRate), Int64(format.mChannelsPerFrame)]
          == [until == 40 ? 20 : Int64(until) - 10, Int64(rate), Int64(channels)])
      #expect(try self.bytes(packet).count == bytes)
    }
  }

  @Test func aStreamThatHasEndedGivesNothingUntilItStartsAgain() {
    let audio = EmulatedAudio(type: .audioMic, content: nil, framesPerPacket: 480)
    audio.end()
    audio.start(at: start)
    #expect(audio.samples(until: start + .milliseconds(30)).isEmpty)
    audio.begin(at: start + .milliseconds(35))
    #expect(audio.samples(until: start + .milliseconds(46)).map(offset) == [35_000_000])
    audio.end()
    audio.leaveOutPackets(until: start + .milliseconds(90))
    #expect(audio.samples(until: start + .milliseconds(90)).isEmpty && audio.packetsSkipped == 0)
  }

  @Test func silenceIsDeliveredAndTheContentContinues() throws {
    let content = CountingContent()
    let audio = EmulatedAudio(type: .audioMic, content: content.content, framesPerPacket: 480)
    audio.start(at: start)
    audio.isInterrupted = true
    let silent = audio.samples(until: start + .milliseconds(20))
    #expect(silent.map(offset) == [0, 10_000_000])
    #expect(try silent.allSatisfy { try bytes($0).allSatisfy { $0 == 0 } })
    audio.isInterrupted = false
    let heard = try #require(audio.samples(until: start + .milliseconds(30)).first)
    #expect(Array(try bytes(heard)[..<2]) == [0xC0, 0x03])
  }

  @Test func aHeldPacketKeepsItsAudio() throws {
    let audio = EmulatedAudio(type: .audioMic, content: CountingContent().content, framesPerPacket: 480)
    audio.start(at: start)
    let held = try #require(audio.samples(until: start + .milliseconds(10)).first)
    let before = try bytes(held)
    for number in 2...30 {
      let later = try #require(audio.samples(until: start + .milliseconds(10 * number)).first)
      #expect(try bytes(later) != before)
    }
    #expect(try bytes(held) == before)
  }

  @Test func packetsThatAreLeftOutAreCounted() throws {
    let audio = EmulatedAudio(type: .audioMic, content: nil, framesPerPacket: 480)
    audio.leaveOutPackets(until: start)
    audio.start(at: start)
    _ = audio.samples(until: start + .milliseconds(105), atMost: 3)
    audio.leaveOutPackets(until: start + .milliseconds(105))
    #expect(audio.packetsSkipped == 7)
    #expect(audio.samples(until: start + .milliseconds(110)).map(offset) == [100_000_000])
  }

  @Test func theMarksOfTheToneAreAtWholeSecondsInBothStreams() throws {
    for (type, channels) in [(RPSampleBufferType.audioApp, 2), (.audioMic, 1)] {
      let audio = EmulatedAudio(type: type, content: EmulatedAudio.tone())
      audio.start(at: start)
      let rate = type == .audioApp ? 44_100 : 48_000
      var finder = try #require(TimeMarkFinder(sampleRate: rate))
      for step in 1...300 {
        let now = start + .nanoseconds(step * 16_666_667)
        if step == 160 { audio.skip(to: now) }
        for sample in audio.samples(until: now) {
          let bytes = try bytes(sample)
          let samples = stride(from: 0, to: bytes.count, by: 2).map { place -> Int16 in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return Int16(bitPattern: type == .audioApp ? first << 8 | second : second << 8 | first)
          }
          finder.add(samples, channelCount: channels, time: start + .nanoseconds(offset(sample)))
        }
      }
      #expect(finder.count == 5)
      #expect(finder.worstOffset <= .nanoseconds(22_676))
    }
  }
}
