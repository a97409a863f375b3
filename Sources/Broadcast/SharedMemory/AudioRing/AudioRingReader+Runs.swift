import Platform

/// Consecutive frames of audio.
public struct AudioRun: Equatable, Sendable {
  /// The number of frames of the session before the first one.
  public var firstFrame: UInt64
  /// When the first frame was recorded.
  public var captureTime: MonotonicTime
  /// The samples in the byte order of this machine, with interleaved channels.
  public var samples: [Int16]
  /// The number of pauses of the session before it.
  public var pauses: UInt32 = 0
}

extension AudioRingReader {
  /// Joins packets to runs. A run ends at a pause, and where the time of a packet is not that of its samples.
  func runs(of found: [Entry], in samples: [Int16], from first: UInt64) -> [AudioRun] {
    var runs: [Entry] = []
    for packet in found {
      if let last = runs.last, last.pauses == packet.pauses {
        let expected =
          Double(last.captureTime.nanoseconds) + format.nanoseconds(ofFrames: UInt64(last.frames.count))
        if abs(Double(packet.captureTime.nanoseconds) - expected) <= Self.tolerance {
          runs[runs.count - 1].frames = last.frames.lowerBound..<packet.frames.upperBound
          continue
        }
      }
      runs.append(packet)
    }
    return runs.map { run in
      let start = Int(run.frames.lowerBound - first) * format.channelCount
      let part = samples[start..<(start + run.frames.count * format.channelCount)]
      return AudioRun(
        firstFrame: run.frames.lowerBound, captureTime: run.captureTime,
        samples: part.count == samples.count ? samples : Array(part), pauses: run.pauses)
    }
  }

  /// The largest difference between the time of a packet and that of its samples in one run: 2 ms, in nanoseconds.
  private static let tolerance = 2_000_000.0
}
