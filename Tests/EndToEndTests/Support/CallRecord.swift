import Foundation
import Testing

/// What `RecordingHandler` of the probe extension wrote down: the calls that an extension's handler got.
struct CallRecord {
  /// A sample of the screen or of sound.
  struct Sample {
    /// Its presentation time, in seconds.
    var time: Double
    /// When it came, in seconds of a clock of its own.
    var arrival: Double
  }

  /// The calls but those with samples, in their order and with what they were given.
  private(set) var calls: [String] = []
  /// The pictures, in their order.
  private(set) var pictures: [Sample] = []
  /// How many samples of any kind came after each of the calls.
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
      // A sample before the first call would be one too many.
      try #require(!calls.isEmpty)
      samplesAfterCalls[calls.count - 1] += 1
      guard words[0] == "video" else { continue }
      let times = try words.dropFirst().map { Double(try #require(Int($0))) / 1e9 }
      try #require(times.count == 2)
      pictures.append(Sample(time: times[0], arrival: times[1]))
    }
  }

  /// The seconds from each picture to the next, by their presentation times.
  var gaps: [Double] { zip(pictures, pictures.dropFirst()).map { $1.time - $0.time } }
}
