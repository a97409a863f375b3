import CommandLineSupport

/// A movie or a sound file that the handler has made with AVAssetWriter, once the broadcast is over. Times are in seconds.
package struct RecordingEvent: JSONEvent, Codable, Equatable, Sendable {
  package static let event = "recording"
  /// The path of the file.
  package var file: String
  /// The size of the file; `nil` if the handler has moved or removed it.
  package var bytes: Int?
  /// How far the writer came.
  package var status: Status
  /// Why it failed.
  package var failure: String?
  /// The code of the error behind it, such as -12633 for times that do not increase.
  package var failureCode: Int?
  /// The time from `finishWriting` to the return of the handler's last call.
  package var waited: Double?
  /// Whether the recording lasts from the first delivered frame to the last.
  package var isThroughout = false
  /// The time of `startSession`.
  package var sessionStart: Double?
  /// How far video and audio have moved against each other since their delivery; `nil` if that is not known.
  package var apart: Double?
  /// The tracks that there are.
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

  /// What was appended to a track of a recording.
  package struct Track: Codable, Equatable, Sendable {
    /// The samples that were appended.
    package var samples = 0
    /// The times of the first and the last sample.
    package var first = 0.0
    package var last = 0.0
    /// The longest distance between two samples.
    package var longestGap = 0.0
    /// The sum of the durations of all samples.
    package var seconds = 0.0
    /// The longest time in which the input was not ready, and the sum of all such times.
    package var longestWait = 0.0
    package var waits = 0.0
    /// The delivered stream (`video`, `app` or `microphone`); `nil` if the handler appended samples of its own, or of several
    /// streams.
    package var stream: String?
    /// When the first and the last sample were delivered that came here with their content.
    package var firstCapture: Double?
    package var lastCapture: Double?
    /// By how much the times of the last samples are moved against the first: below 0 for what was cut. `nil` in a time lapse.
    package var shift: Double?
    /// Whether `markAsFinished` came long before `finishWriting`.
    package var isCut = false
    /// What was delivered of the stream in the meantime.
    package var delivered: Delivered?

    /// Whether it has the content of delivered samples at their times, but for what was cut.
    package var isEven: Bool { shift != nil }

    package init() {}
  }

  /// What the handler got of a stream while it recorded.
  package struct Delivered: Codable, Equatable, Sendable {
    /// The samples that were delivered.
    package var samples = 0
    /// The times of the first and the last sample.
    package var first = 0.0
    package var last = 0.0
    /// The longest distance between two samples, without pauses.
    package var longestGap = 0.0
    /// The sum of all pauses, and the longest pause.
    package var pauses = 0.0
    package var longestPause = 0.0
    /// The sum of the durations of all samples.
    package var seconds = 0.0

    package init() {}
  }
}
