/// Converts interleaved 16-bit samples to one format, for a stream whose format changes.
///
/// Samples of that format stay as they are. Others are mixed to all channels if their number differs, and each frame is the mean
/// of the time that it covers: linear interpolation towards a higher rate.
package struct SampleConverter {
  package let target: WAVEFormat
  private var source: WAVEFormat
  /// The frames of the source that are not used up.
  private var pending: [Int16] = []
  /// The start of the next frame, in frames of ``pending``.
  private var position = 0.0

  /// A converter to a format. Rates and numbers of channels are positive.
  package init(to target: WAVEFormat) { (self.target, source) = (target, target) }

  /// Returns the converted samples, which follow those of the last call.
  package mutating func convert(_ samples: [Int16], from format: WAVEFormat) -> [Int16] {
    if format != source { (source, pending, position) = (format, [], 0) }
    guard format != target else { return samples }
    let channels = target.channelCount
    pending += format.channelCount == channels ? samples : mixed(samples)
    let frames = pending.count / channels
    let step = Double(format.sampleRate) / Double(target.sampleRate)
    let width = max(1, step)
    var converted: [Int16] = []
    while position + width <= Double(frames) {
      for channel in 0..<channels { converted.append(mean(of: channel, width: width)) }
      position += step
    }
    let used = min(Int(position), frames)
    pending.removeFirst(used * channels)
    position -= Double(used)
    return converted
  }

  /// The mean of all channels, on each channel of the target.
  private func mixed(_ samples: [Int16]) -> [Int16] {
    stride(from: 0, to: samples.count - source.channelCount + 1, by: source.channelCount).flatMap { first in
      let sum = samples[first..<first + source.channelCount].reduce(0) { $0 + Int($1) }
      return [Int16](repeating: Int16(sum / source.channelCount), count: target.channelCount)
    }
  }

  private func mean(of channel: Int, width: Double) -> Int16 {
    let end = position + width
    var (sum, frame) = (0.0, Int(position))
    while Double(frame) < end {
      let part = min(end, Double(frame + 1)) - max(position, Double(frame))
      // A rounding error of the position may touch a frame behind the end.
      let index = frame * target.channelCount + channel
      if index < pending.count { sum += part * Double(pending[index]) }
      frame += 1
    }
    return Int16((sum / width).rounded())
  }
}
