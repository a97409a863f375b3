/// Makes blocks of 10 ms of samples that come in packets of any length.
struct AudioBlocks {
  private var waiting: [Int16] = []
  private var format = Format(sampleRate: 0, numberOfChannels: 0)
  /// When the first of the samples that wait was recorded, in nanoseconds.
  private var time: Int64 = 0

  private struct Format: Equatable {
    var sampleRate: Int
    var numberOfChannels: Int

    /// The samples of one block.
    var blockLength: Int { sampleRate / 100 * numberOfChannels }

    /// How long so many samples last, in nanoseconds.
    func duration(_ count: Int) -> Int64 {
      numberOfChannels == 0 ? 0 : Int64(count / numberOfChannels) * 1_000_000_000 / Int64(sampleRate)
    }
  }

  private static let blockNs: Int64 = 10_000_000

  /// The blocks that are whole with these samples. Rate and channels are above 0.
  mutating func add(
    _ samples: [Int16], sampleRate: Int, numberOfChannels: Int, timeStampNs: Int64
  ) -> [RTCPCMBuffer] {
    let new = Format(sampleRate: sampleRate, numberOfChannels: numberOfChannels)
    // Wrapping: times come from outside.
    let jump = timeStampNs &- (time &+ format.duration(waiting.count))
    var blocks: [RTCPCMBuffer] = []
    if new != format || !(-Self.blockNs...Self.blockNs).contains(jump) {
      if !waiting.isEmpty {
        waiting += [Int16](repeating: 0, count: format.blockLength - waiting.count)
        blocks = takeBlocks()
      }
      format = new
    }
    if waiting.isEmpty { time = timeStampNs }
    waiting += samples
    return blocks + takeBlocks()
  }

  private mutating func takeBlocks() -> [RTCPCMBuffer] {
    let length = format.blockLength
    var start = 0
    var blocks: [RTCPCMBuffer] = []
    while waiting.count - start >= length {
      blocks.append(
        RTCPCMBuffer(
          samples: Array(waiting[start..<start + length]), sampleRate: format.sampleRate,
          numberOfChannels: format.numberOfChannels, timeStampNs: time &+ format.duration(start)))
      start += length
    }
    time &+= format.duration(start)
    waiting.removeFirst(start)
    return blocks
  }
}
