import Platform

extension AudioRingReader {
  /// The packets put together, divided by pauses, and where the time of one is not what the samples before
  /// it make it.
  func runs(of found: [Entry], in samples: [Int16], from first: UInt64) -> [AudioRun] {
    var runs: [Entry] = []
    for packet in found {
      if let last = runs.last, last.pauses == packet.pauses {
        let expected =
          Double(last.captureTime.nanoseconds) + format.duration(ofFrames: UInt64(last.frames.count))
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

  /// By so many nanoseconds the times of a run's packets may differ from what its samples make them: 2 ms.
  private static let tolerance = 2_000_000.0
}

extension AudioRingFormat {
  /// A format as a header states it; `nil` when there is no such one.
  init?(header: Span<UInt8>) {
    typealias Header = AudioRingLayout.Header
    let flag = header.loadLittleEndian(at: Header.isBigEndian, as: UInt32.self)
    guard header.loadLittleEndian(at: Header.bitsPerSample) == UInt32(Self.bitsPerSample), flag <= 1 else {
      return nil
    }
    self.init(
      sampleRate: Double(bitPattern: header.loadLittleEndian(at: Header.sampleRate)),
      channelCount: Int(header.loadLittleEndian(at: Header.channelCount, as: UInt32.self)),
      isBigEndian: flag == 1)
  }
}
