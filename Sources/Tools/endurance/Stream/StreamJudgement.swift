import CommandLineSupport

/// Whether a stream was as long, as fast and as much in step as it should be.
struct StreamJudgement: Equatable {
  /// How many seconds the run was to take.
  var secondsAsked: Double
  /// How many seconds the producer broadcast.
  var secondsProduced: Double
  /// The pictures that the handler got.
  var framesProduced: Int
  /// The rate from the first picture to the last.
  var framesPerSecond: Double
  /// When the newest sound ended after the newest picture was taken, in milliseconds, second after second.
  var avOffsetsMs: [Double]

  /// The pictures a second that are asked for.
  static let rate = 60.0
  /// How many of the pictures must come: a machine with other work may drop the rest.
  static let share = 0.99
  /// How far sound and pictures may come apart: one frame of 60 a second, in milliseconds.
  static let longestDrift = 1000 / rate

  /// The fewest looks at sound and pictures that say anything: a packet and a frame are as long as what is allowed.
  static let fewestOffsets = 24
  /// A run so long has as many of them.
  static let secondsForOffsets = 30.0

  /// How far sound was from pictures in the first third of the run and in the last; `nil` when there are too few looks.
  var offsets: (first: Double, last: Double)? {
    guard avOffsetsMs.count >= Self.fewestOffsets else { return nil }
    return Flatness(avOffsetsMs, tolerance: Self.longestDrift).map { ($0.first, $0.last) }
  }

  /// What did not hold, as sentences without an end.
  var failures: [String] {
    var failures: [String] = []
    if secondsProduced < secondsAsked {
      failures.append(
        "the producer broadcast for \(secondsProduced.text(decimals: 2)) s of "
          + secondsAsked.text(decimals: 2))
    }
    if framesPerSecond < Self.share * Self.rate {
      failures.append(
        "the producer had \(framesPerSecond.text(decimals: 2)) frames a second, not "
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
          "sound and pictures came apart: the newest sound ended \(first.text(decimals: 1)) ms after the "
            + "newest picture at first and \(last.text(decimals: 1)) ms at last")
      }
    } else if secondsAsked >= Self.secondsForOffsets {
      failures.append(
        "\(avOffsetsMs.count) looks at sound and pictures are too few to judge whether they stay in step"
      )
    }
    return failures
  }
}
