import TestSupport
import WebRTC

@Suite struct RTCAudioTrackTests {
  private final class Sink: NSObject, AudioRenderer {
    let blocks = Mutex<[AudioBlock]>([])
    func render(_ block: AudioBlock) { blocks.withLock { $0.append(block) } }
    var received: [AudioBlock] { blocks.withLock { $0 } }
    var samples: [Int16] { received.flatMap(\.samples) }
  }

  private let factory = RTCPeerConnectionFactory()

  private let source: RTCAudioSource
  private let track: RTCAudioTrack
  private let sink = Sink()

  init() {
    source = factory.audioSource(with: nil)
    track = factory.audioTrack(with: source, trackId: "app")
    track.add(sink)
  }

  private func ramp(_ count: Int, from first: Int = 0) -> [Int16] {
    (first..<first + count).map { Int16(truncatingIfNeeded: $0) }
  }

  @Test(arguments: [(44_100, 2, 1_024), (48_000, 1, 1_024), (44_100, 2, 22_596), (11_025, 1, 333)])
  func packetsBecomeBlocksOfTenMillisecondsWithoutLoss(rate: Int, channels: Int, packet: Int) {
    let start: Int64 = 5_000_000_000
    for number in 0..<40 {
      source.capture(
        ramp(packet * channels, from: number * packet * channels), sampleRate: rate,
        numberOfChannels: channels, timeStampNs: start + Int64(number * packet) * 1_000_000_000 / Int64(rate))
    }
    let blocks = sink.received
    let frames = rate / 100
    #expect(blocks.count == 40 * packet / frames)
    #expect(blocks.allSatisfy { $0.numberOfFrames == frames && $0.sampleRate == rate })
    #expect(sink.samples == ramp(blocks.count * frames * channels))
    for (number, block) in blocks.enumerated() {
      let due = start + Int64(number * frames) * 1_000_000_000 / Int64(rate)
      #expect(abs(block.timeStampNs - due) < 100_000)
    }
  }

  @Test func afterAGapABlockStartsAndTheRestBeforeItIsDelivered() {
    source.capture(ramp(600), sampleRate: 48_000, numberOfChannels: 1, timeStampNs: 0)
    source.capture(
      ramp(480, from: 9_000), sampleRate: 48_000, numberOfChannels: 1, timeStampNs: 2_000_000_000)
    #expect(sink.received.map(\.timeStampNs) == [0, 10_000_000, 2_000_000_000])
    #expect(sink.received[1].samples == ramp(120, from: 480) + [Int16](repeating: 0, count: 360))
    #expect(sink.received[2].samples == ramp(480, from: 9_000))
  }

  @Test func aNewFormatStartsANewBlock() {
    source.capture(ramp(100), sampleRate: 48_000, numberOfChannels: 1, timeStampNs: 0)
    source.capture(ramp(882), sampleRate: 44_100, numberOfChannels: 2, timeStampNs: 2_083_333)
    #expect(sink.received.map(\.sampleRate) == [48_000, 44_100])
    #expect(sink.received.map(\.numberOfChannels) == [1, 2])
  }

  @Test func aDisabledTrackIsSilentAndAsLong() {
    track.isEnabled = false
    source.capture(ramp(960, from: 1), sampleRate: 48_000, numberOfChannels: 1, timeStampNs: 0)
    #expect(sink.samples == [Int16](repeating: 0, count: 960))
  }

  @Test func impossibleValuesAreDropped() {
    for (rate, channels) in [(0, 1), (99, 1), (48_000, 0), (48_000, 3), (.max, 1), (-1, -1)] {
      source.capture(ramp(9), sampleRate: rate, numberOfChannels: channels, timeStampNs: 0)
    }
    for time in [Int64.min, 0, .max, 0, 1 << 62] {
      source.capture(ramp(10), sampleRate: 48_000, numberOfChannels: 1, timeStampNs: time)
    }
    // Each jump closes a block, and the last ten frames wait.
    #expect(sink.received.count == 4)
  }

  @Test func renderersAndTracksAreAddedOnceAndRemoved() {
    track.add(sink)
    source.capture(ramp(480), sampleRate: 48_000, numberOfChannels: 1, timeStampNs: 0)
    #expect(sink.received.count == 1)
    track.remove(sink)
    source.capture(ramp(480), sampleRate: 48_000, numberOfChannels: 1, timeStampNs: 10_000_000)
    #expect(sink.received.count == 1)
  }
}
