import Foundation
import SoundFormats
import TestPatterns
import Testing

/// The audio of a WAV file that a watch wrote.
struct Recording {
  let format: WAVEFormat
  let samples: [Int16]

  init(_ file: URL) throws {
    let reader = try WAVEReader(path: file.path)
    let channels = reader.format.channelCount
    var samples: [Int16] = []
    while samples.count < reader.frameCount * channels {
      let read = try reader.read(from: samples.count / channels, count: reader.frameCount)
      try #require(!read.isEmpty)
      samples += read
    }
    (format, self.samples) = (reader.format, samples)
  }

  /// The number of frames: one sample of each channel.
  var frameCount: Int { samples.count / format.channelCount }

  /// The frames at which a mark begins, without those that a pause or the start of the file has cut: a cut mark
  /// follows silence or nothing, and its true start is missing.
  var marks: [Int] {
    let channels = format.channelCount
    var marks: [Int] = []
    for frame in 0..<frameCount where samples[frame * channels].magnitude >= TimeMark.threshold.magnitude {
      if let last = marks.last, frame - last < format.sampleRate / 2 { continue }
      marks.append(frame)
    }
    return marks.filter { mark in
      // A period of the mark has at most 24 frames, and reaches the threshold within half of them.
      mark >= 60 && (mark - 60..<mark - 14).contains { samples[$0 * channels] != 0 }
    }
  }

  /// Expects that the marks are whole seconds apart, except for `tolerance` frames. A hole in the audio is silence of its
  /// length.
  func expectMarksAtWholeSeconds(tolerance: Double, sourceLocation: SourceLocation = #_sourceLocation) {
    let (marks, rate) = (marks, Double(format.sampleRate))
    for (mark, next) in zip(marks, marks.dropFirst()) {
      let distance = Double(next - mark)
      #expect(abs(distance - (distance / rate).rounded() * rate) <= tolerance, sourceLocation: sourceLocation)
    }
  }
}
