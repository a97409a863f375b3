import SoundFormats
import TestPatterns

/// A sound file, brought to the rate and the channels of the stream it is played into.
///
/// Between two samples of the file the stream's are interpolated in a straight line. One channel is played on both, two
/// are averaged into one.
public final class WaveContent: AudioContent {
  private let reader: WAVEReader
  private let loops: Bool
  private let report: @MainActor (WAVEReader.Error) -> Void
  private var hasFailed = false
  /// The whole file, when it is repeated within one packet.
  private var loop: [Int16] = []

  /// The sound of the file at `path`.
  ///
  /// - Parameters:
  ///   - loops: whether it begins again at its end; else silence follows.
  ///   - report: told once when the file cannot be read any more; silence follows.
  public init(
    path: String, loops: Bool, report: @escaping @MainActor (WAVEReader.Error) -> Void
  ) throws(WAVEReader.Error) {
    reader = try WAVEReader(path: path)
    self.loops = loops
    self.report = report
  }

  /// The sound from frame 0 of the stream on.
  public func samples(from frame: UInt64, count: Int, channelCount: Int, clock: SampleClock) -> [Int16] {
    let (source, rate) = (UInt64(reader.format.sampleRate), UInt64(clock.sampleRate))
    // Each place is counted from the start, as whole and rest, so that rounding never adds up.
    let first = place(of: frame, source, rate).whole
    let last = place(of: frame + UInt64(count), source, rate).whole
    let heard = frames(from: first, count: Int(last - first) + 2)
    let channels = reader.format.channelCount
    var samples: [Int16] = []
    samples.reserveCapacity(count * channelCount)
    for index in 0..<count {
      let (whole, rest) = place(of: frame + UInt64(index), source, rate)
      let offset = Int(whole - first) * channels
      func sample(_ channel: Int) -> Int {
        let (here, next) = (Int(heard[offset + channel]), Int(heard[offset + channels + channel]))
        return here + (next - here) * Int(rest) / Int(rate)
      }
      switch (channels, channelCount) {
      case (2, 1): samples.append(Int16(clamping: (sample(0) + sample(1)) / 2))
      default:
        for channel in 0..<channelCount {
          samples.append(Int16(clamping: sample(min(channel, channels - 1))))
        }
      }
    }
    return samples
  }

  /// Where in the file a frame of the stream is: the frame before it, and how far on, in parts of `rate`.
  private func place(of frame: UInt64, _ source: UInt64, _ rate: UInt64) -> (whole: UInt64, rest: UInt64) {
    // The whole seconds apart, so that the product stays small however long it plays.
    let within = frame % rate * source
    return (frame / rate * source + within / rate, within % rate)
  }

  /// `count` frames of the file from `start` on, once round and again when it loops, else with silence behind it.
  private func frames(from start: UInt64, count: Int) -> [Int16] {
    let channels = reader.format.channelCount
    let length = UInt64(reader.frameCount)
    var samples: [Int16] = []
    var next = start
    if loops, loop.isEmpty, reader.frameCount <= min(count, WAVEReader.longestRead), !hasFailed {
      loop = read(from: 0, count: reader.frameCount)
    }
    if !loop.isEmpty, !hasFailed {
      let offset = Int(start % length) * channels
      return (0..<count * channels).map { loop[(offset + $0) % loop.count] }
    }
    while samples.count < count * channels, loops || next < length, !hasFailed {
      let place = Int(next % length)
      let more = read(
        from: place,
        count: min(count - samples.count / channels, reader.frameCount - place, WAVEReader.longestRead))
      samples += more
      next += UInt64(more.count / channels)
    }
    return samples + [Int16](repeating: 0, count: count * channels - samples.count)
  }

  /// Frames that the file has; fewer when it fails, which is told once and ends the sound.
  private func read(from frame: Int, count: Int) -> [Int16] {
    do throws(WAVEReader.Error) {
      let samples = try reader.read(from: frame, count: count)
      guard samples.count < count * reader.format.channelCount else { return samples }
      fail(reader.cutShort)
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
