import CommandLineSupport

/// The checks of a stream: its length, its frame rate, and the offset between audio and frames.
struct StreamJudgement: Equatable {
  var secondsAsked: Double
  var secondsProduced: Double
  /// The frames that the handler received.
  var framesProduced: Int
  /// The rate from the first frame to the last.
  var framesPerSecond: Double
  /// The times from the capture of the newest frame to the end of the newest audio, in milliseconds, one per second.
  var avOffsetsMs: [Double]

  /// The requested frames per second.
  static let rate = 60.0
  /// The share of the frames that must arrive; a busy machine may drop the rest.
  static let share = 0.99
  /// The allowed change of the offset between audio and frames, in milliseconds: one frame.
  static let longestDrift = 1000 / rate

  /// The fewest offsets for a result; a packet and a frame are as long as the allowed change.
  static let fewestOffsets = 24
  /// The length of a run that yields enough offsets for a judgement.
  static let secondsForOffsets = 30.0

  /// The offset in the first and in the last third of the run; `nil` for too few offsets.
  var offsets: (first: Double, last: Double)? {
    guard avOffsetsMs.count >= Self.fewestOffsets else { return nil }
    return Flatness(avOffsetsMs, tolerance: Self.longestDrift).map { ($0.first, $0.last) }
  }

  /// The checks that failed, as sentences without a full stop.
  var failures: [String] {
    var failures: [String] = []
    if secondsProduced < secondsAsked {
      failures.append(
        "the producer broadcast for \(secondsProduced.text(decimals: 2)) s of "
          + secondsAsked.text(decimals: 2))
    }
    if framesPerSecond < Self.share * Self.rate {
      failures.append(
        "the producer had \(framesPerSecond.text(decimals: 2)) frames per second, not "
          + Self.rate.text(decimals: 0))
    }
    let expected = Self.rate * secondsProduced
    if abs(Double(framesProduced) - expected) > (1 - Self.share) * expected {
      failures.append(
        "the producer had \(framesProduced) frames in \(secondsProduced.text(decimals: 2)) s, not "
          + expected.text(decimals: 0))
    }
    if let (first, last) = offsets {
      if abs(last - first) > Self.longestDrift {
        failures.append(
          "audio and frames lost step: the newest audio ended \(first.text(decimals: 1)) ms after the newest "
            + "frame at the beginning and \(last.text(decimals: 1)) ms at the end")
      }
    } else if secondsAsked >= Self.secondsForOffsets {
      failures.append(
        "\(avOffsetsMs.count) offsets between audio and frames are too few to check that they stay in step"
      )
    }
    return failures
  }
}
