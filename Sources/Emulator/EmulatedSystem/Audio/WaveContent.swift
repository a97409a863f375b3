import SoundFormats
import TestPatterns

/// A WAV file, converted to the sample rate and the channels of the stream.
///
/// Samples are interpolated linearly. One channel is played on both channels, and two are averaged into one.
package final class WaveContent: AudioContent {
  private let reader: WAVEReader
  private let loops: Bool
  private let report: @MainActor (WAVEReader.Error) -> Void
  private var hasFailed = false
  /// The whole file, if a single packet repeats it.
  private var loop: [Int16] = []

  /// The audio of the file at `path`, repeated or followed by silence. Calls `report` once if the file becomes
  /// unreadable; silence follows.
  package init(
    path: String, loops: Bool, report: @escaping @MainActor (WAVEReader.Error) -> Void
  ) throws(WAVEReader.Error) {
    reader = try WAVEReader(path: path)
    self.loops = loops
    self.report = report
  }

  package func samples(from frame: UInt64, count: Int, channelCount: Int, clock: SampleClock) -> [Int16] {
    let (source, rate) = (UInt64(reader.format.sampleRate), UInt64(clock.sampleRate))
    // Each position is counted from the start, as a whole number and a rest, so that rounding never adds up.
    let first = position(of: frame, source, rate).whole
    let last = position(of: frame + UInt64(count), source, rate).whole
    let file = frames(from: first, count: Int(last - first) + 2)
    let channels = reader.format.channelCount
    var samples: [Int16] = []
    samples.reserveCapacity(count * channelCount)
    for index in 0..<count {
      let (whole, rest) = position(of: frame + UInt64(index), source, rate)
      let offset = Int(whole - first) * channels
      func sample(_ channel: Int) -> Int {
        let (here, next) = (Int(file[offset + channel]), Int(file[offset + channels + channel]))
        return here + (next - here) * Int(rest) / Int(rate)
      }
      if channels == 2, channelCount == 1 {
        samples.append(Int16(clamping: (sample(0) + sample(1)) / 2))
      } else {
        for channel in 0..<channelCount {
          samples.append(Int16(clamping: sample(min(channel, channels - 1))))
        }
      }
    }
    return samples
  }

  /// The position of a stream's frame in the file: the file's frame before it, and the rest in parts of `rate`.
  private func position(of frame: UInt64, _ source: UInt64, _ rate: UInt64) -> (whole: UInt64, rest: UInt64) {
    // Whole seconds are split off, so that the product never overflows.
    let within = frame % rate * source
    return (frame / rate * source + within / rate, within % rate)
  }

  /// Returns `count` frames of the file from `start` on, repeated or followed by silence.
  private func frames(from start: UInt64, count: Int) -> [Int16] {
    let channels = reader.format.channelCount
    let length = UInt64(reader.frameCount)
    if loops, loop.isEmpty, reader.frameCount <= min(count, WAVEReader.maximumRead), !hasFailed {
      loop = read(from: 0, count: reader.frameCount)
    }
    if !loop.isEmpty, !hasFailed {
      let offset = Int(start % length) * channels
      return (0..<count * channels).map { loop[(offset + $0) % loop.count] }
    }
    var samples: [Int16] = []
    var next = start
    while samples.count < count * channels, loops || next < length, !hasFailed {
      let place = Int(next % length)
      let more = read(
        from: place,
        count: min(count - samples.count / channels, reader.frameCount - place, WAVEReader.maximumRead))
      samples += more
      next += UInt64(more.count / channels)
    }
    return samples + [Int16](repeating: 0, count: count * channels - samples.count)
  }

  /// Reads frames of the file; fewer if it fails.
  private func read(from frame: Int, count: Int) -> [Int16] {
    do throws(WAVEReader.Error) {
      let samples = try reader.read(from: frame, count: count)
      if samples.count < count * reader.format.channelCount { fail(reader.cutShort) }
      return samples
    } catch {
      fail(error)
      return []
    }
  }

  private func fail(_ error: WAVEReader.Error) {
    hasFailed = true
    report(error)
  }
}
