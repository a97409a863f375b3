/// A block of 10 ms of 16-bit audio. A track passes it to its renderers.
///
/// It stands for `AVAudioPCMBuffer` on iOS, and has the fields of libwebrtc's `AudioTrackSinkInterface::OnData`.
package struct AudioBlock: Equatable, Sendable {
  /// The samples, interleaved.
  package fileprivate(set) var samples: [Int16]
  /// The frames per second.
  package let sampleRate: Int
  package let numberOfChannels: Int
  /// The capture time of the first frame, in nanoseconds of the monotonic clock.
  package let timeStampNs: Int64

  /// The number of frames in the block: a hundredth of the sample rate.
  package var numberOfFrames: Int { samples.count / numberOfChannels }

  /// A copy of the block with silence.
  var silenced: AudioBlock {
    var block = self
    block.samples = [Int16](repeating: 0, count: samples.count)
    return block
  }
}

/// Splits packets of any length into blocks of 10 ms.
struct AudioBlocks {
  /// Samples that do not fill a block yet, with the format and time of that block; `nil` before the first packet.
  private var waiting: AudioBlock?

  /// Adds samples, and returns the blocks that they complete. The rate and the number of channels are positive.
  mutating func add(
    _ samples: [Int16], sampleRate: Int, numberOfChannels: Int, timeStampNs: Int64
  ) -> [AudioBlock] {
    var blocks: [AudioBlock] = []
    var start = AudioBlock(
      samples: [], sampleRate: sampleRate, numberOfChannels: numberOfChannels, timeStampNs: timeStampNs)
    if var waiting, !waiting.samples.isEmpty {
      // Sums of times wrap, because the caller may pass any timestamp.
      let jump = timeStampNs &- waiting.time(ofSample: waiting.samples.count)
      if waiting.sampleRate == sampleRate, waiting.numberOfChannels == numberOfChannels,
        (-10_000_000...10_000_000).contains(jump)
      {
        start = waiting
      } else {
        waiting.samples += [Int16](repeating: 0, count: waiting.length - waiting.samples.count)
        blocks.append(waiting)
      }
    }
    start.samples += samples
    let complete = start.samples.count / start.length * start.length
    for first in stride(from: 0, to: complete, by: start.length) {
      blocks.append(start.part(first..<first + start.length))
    }
    waiting = start.part(complete..<start.samples.count)
    return blocks
  }
}

extension AudioBlock {
  /// The number of samples in a complete block.
  fileprivate var length: Int { sampleRate / 100 * numberOfChannels }

  /// Returns the capture time of a sample. The sum wraps.
  fileprivate func time(ofSample index: Int) -> Int64 {
    timeStampNs &+ Int64(index / numberOfChannels) * 1_000_000_000 / Int64(sampleRate)
  }

  fileprivate func part(_ range: Range<Int>) -> AudioBlock {
    AudioBlock(
      samples: Array(samples[range]), sampleRate: sampleRate, numberOfChannels: numberOfChannels,
      timeStampNs: time(ofSample: range.lowerBound))
  }
}
