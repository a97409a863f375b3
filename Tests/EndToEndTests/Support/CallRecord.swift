import Foundation
import Testing

/// The calls that an extension's handler got, as `RecordingHandler` of the probe extension writes them.
struct CallRecord {
  struct Frame {
    var time: Double
    /// The time of the call, in seconds of another clock.
    var arrival: Double
  }

  /// The calls without a sample, in their order, with their arguments.
  private(set) var calls: [String] = []
  private(set) var frames: [Frame] = []
  /// The number of samples of any kind between each of the calls and the next.
  private(set) var samplesAfterCalls: [Int] = []

  init(path: String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      guard ["video", "audioApp", "audioMic"].contains(words[0]) else {
        calls.append(String(line))
        samplesAfterCalls.append(0)
        continue
      }
      // No sample may come before the first call.
      try #require(!calls.isEmpty)
      samplesAfterCalls[calls.count - 1] += 1
      guard words[0] == "video" else { continue }
      let times = try words.dropFirst().map { Double(try #require(Int($0))) / 1e9 }
      try #require(times.count == 2)
      frames.append(Frame(time: times[0], arrival: times[1]))
    }
  }
}
