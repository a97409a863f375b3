import CommandLineSupport

/// A film or a sound that the handler has made with AVAssetWriter, once the broadcast is over. Times are seconds.
package struct RecordingEvent: JSONEvent, Codable, Equatable, Sendable {
  package static let event = "recording"
  /// The path of the file.
  package var file: String
  /// Its size; `nil` if the handler has moved or removed it.
  package var bytes: Int?
  package var status: Status
  /// Why it failed.
  package var failure: String?
  /// How long the handler waited after `finishWriting`, until it returned from its last call.
  package var waited: Double?
  /// Whether it was begun at the first delivered picture, and finished after the last.
  package var isThroughout = false
  /// The start of the session, as the handler gave it.
  package var sessionStart: Double?
  /// How far the tracks have moved against each other since their delivery; `nil` if that is not known.
  package var apart: Double?
  package var video: Track?
  package var audio: Track?
  package var secondAudio: Track?

  package enum Status: String, Codable, Sendable {
    case completed, failed
    /// `finishWriting` was called, and had not finished.
    case finishing
    /// `finishWriting` was not called.
    case unfinished
  }

  /// What was appended to a track, and what was delivered meanwhile.
  package struct Track: Codable, Equatable, Sendable {
    package var samples = 0
    package var first = 0.0
    package var last = 0.0
    package var longestGap = 0.0
    /// The durations of all samples together.
    package var seconds = 0.0
    /// The times in which the input was not ready: the longest, and all together.
    package var longestWait = 0.0
    package var waits = 0.0
    /// The delivered stream; `nil` if the handler appended samples of its own, or of several.
    package var stream: String?
    /// When the first and the last sample were delivered that came here with their content.
    package var firstCapture: Double?
    package var lastCapture: Double?
    /// By how much the times of the last are moved against those of the first: less than 0 for what was cut. `nil` if the times
    /// change at each sample, as in a time lapse.
    package var shift: Double?
    /// Whether `markAsFinished` came long before `finishWriting`.
    package var isCut = false
    /// What was delivered of the stream, from the first sample that was appended.
    package var delivered: Delivered?

    /// Whether it has the content of delivered samples at their times, but for what was cut.
    package var isEven: Bool { shift != nil }

    package init() {}
  }

  /// What the handler got of a stream.
  package struct Delivered: Codable, Equatable, Sendable {
    package var samples = 0
    package var first = 0.0
    package var last = 0.0
    /// Without pauses.
    package var longestGap = 0.0
    package var pauses = 0.0
    package var longestPause = 0.0
    package var seconds = 0.0

    package init() {}
  }
}
