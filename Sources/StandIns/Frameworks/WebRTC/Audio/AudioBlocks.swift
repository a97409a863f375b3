/// A block of 16-bit audio of 10 ms, which a track passes to its renderers.
///
/// It takes the place of `AVAudioPCMBuffer` on iOS, with the fields of libwebrtc's `AudioTrackSinkInterface::OnData`.
package struct AudioBlock: Equatable, Sendable {
  /// The samples, interleaved.
  package fileprivate(set) var samples: [Int16]
  /// The frames per second.
  package let sampleRate: Int
  package let numberOfChannels: Int
  /// The capture time of the first frame, in monotonic nanoseconds.
  package let timeStampNs: Int64

  /// The frames of the block: a hundredth of the sample rate.
  package var numberOfFrames: Int { samples.count / numberOfChannels }

  /// The block with samples of zero.
  var silenced: AudioBlock {
    var block = self
    block.samples = [Int16](repeating: 0, count: samples.count)
    return block
  }
}

/// Splits packets of any length into blocks of 10 ms.
struct AudioBlocks {
  /// The samples that do not fill a block yet, with the format and time of that block; `nil` before the first packet.
  private var waiting: AudioBlock?

  /// Adds samples and returns the blocks they complete. Rate and channels are positive.
  mutating func add(
    _ samples: [Int16], sampleRate: Int, numberOfChannels: Int, timeStampNs: Int64
  ) -> [AudioBlock] {
    var blocks: [AudioBlock] = []
    var start = AudioBlock(
      samples: [], sampleRate: sampleRate, numberOfChannels: numberOfChannels, timeStampNs: timeStampNs)
    if var waiting, !waiting.samples.isEmpty {
      // Sums of times wrap, as the caller may pass any time stamp.
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
  /// The samples of a whole block.
  fileprivate var length: Int { sampleRate / 100 * numberOfChannels }

  /// The capture time of a sample. Wraps.
  fileprivate func time(ofSample index: Int) -> Int64 {
    timeStampNs &+ Int64(index / numberOfChannels) * 1_000_000_000 / Int64(sampleRate)
  }

  fileprivate func part(_ range: Range<Int>) -> AudioBlock {
    AudioBlock(
      samples: Array(samples[range]), sampleRate: sampleRate, numberOfChannels: numberOfChannels,
      timeStampNs: time(ofSample: range.lowerBound))
  }
}
