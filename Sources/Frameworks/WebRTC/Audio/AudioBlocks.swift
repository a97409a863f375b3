/// A block of 16-bit audio of 10 ms, which a track passes to its renderers.
///
/// It takes the place of `AVAudioPCMBuffer` on iOS, with the fields of libwebrtc's `AudioTrackSinkInterface::OnData`.
package struct AudioBlock: Equatable, Sendable {
  /// The samples, interleaved.
  package let samples: [Int16]
  /// The frames per second.
  package let sampleRate: Int
  package let numberOfChannels: Int
  /// The capture time of the first frame, in monotonic nanoseconds.
  package let timeStampNs: Int64

  /// The frames of the block: a hundredth of the sample rate.
  package var numberOfFrames: Int { samples.count / numberOfChannels }

  /// The block with samples of zero.
  var silenced: AudioBlock {
    AudioBlock(
      samples: [Int16](repeating: 0, count: samples.count), sampleRate: sampleRate,
      numberOfChannels: numberOfChannels, timeStampNs: timeStampNs)
  }
}

/// Splits packets of any length into blocks of 10 ms.
struct AudioBlocks {
  private var waiting: [Int16] = []
  private var format = Format(sampleRate: 0, numberOfChannels: 0)
  /// The capture time of the first waiting sample, in nanoseconds.
  private var time: Int64 = 0

  private struct Format: Equatable {
    var sampleRate: Int
    var numberOfChannels: Int

    /// The samples of one block.
    var blockLength: Int { sampleRate / 100 * numberOfChannels }

    /// The duration of `count` samples, in nanoseconds.
    func duration(_ count: Int) -> Int64 {
      numberOfChannels == 0 ? 0 : Int64(count / numberOfChannels) * 1_000_000_000 / Int64(sampleRate)
    }
  }

  private static let blockNs: Int64 = 10_000_000

  /// Adds samples and returns the blocks they complete. Rate and channels are positive.
  mutating func add(
    _ samples: [Int16], sampleRate: Int, numberOfChannels: Int, timeStampNs: Int64
  ) -> [AudioBlock] {
    let new = Format(sampleRate: sampleRate, numberOfChannels: numberOfChannels)
    // Sums of times wrap, as the caller may pass any time stamp.
    let jump = timeStampNs &- (time &+ format.duration(waiting.count))
    var blocks: [AudioBlock] = []
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

  private mutating func takeBlocks() -> [AudioBlock] {
    let length = format.blockLength
    var start = 0
    var blocks: [AudioBlock] = []
    while waiting.count - start >= length {
      blocks.append(
        AudioBlock(
          samples: Array(waiting[start..<start + length]), sampleRate: format.sampleRate,
          numberOfChannels: format.numberOfChannels, timeStampNs: time &+ format.duration(start)))
      start += length
    }
    time &+= format.duration(start)
    waiting.removeFirst(start)
    return blocks
  }
}
