import CommandLineSupport

/// A movie or a sound file that the handler has made with AVAssetWriter, once the broadcast is over. Times are in seconds.
package struct RecordingEvent: JSONEvent, Codable, Equatable, Sendable {
  package static let event = "recording"
  /// The path of the file.
  package var file: String
  /// The size of the file; `nil` if the handler has moved or removed it.
  package var bytes: Int?
  /// The state of the writer.
  package var status: Status
  /// Why the writer failed.
  package var failure: String?
  /// The code of the underlying error, such as -12633 for times that do not increase.
  package var failureCode: Int?
  /// The time from `finishWriting` to the return of the handler's last call.
  package var waited: Double?
  /// Whether the recording covers all delivered frames, except for at most 1 s at the start and 0.5 s at the end.
  package var coversBroadcast = false
  /// The time of `startSession`.
  package var sessionStart: Double?
  /// How far video and audio have drifted apart since their delivery; `nil` if that is not known.
  package var avDriftSeconds: Double?
  /// The tracks of the recording.
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

  /// The samples appended to a track of a recording.
  package struct Track: Codable, Equatable, Sendable {
    /// The number of appended samples.
    package var samples = 0
    /// The times of the first and the last sample.
    package var first = 0.0
    package var last = 0.0
    /// The longest gap between two samples.
    package var longestGap = 0.0
    /// The sum of the durations of all samples.
    package var seconds = 0.0
    /// The longest time in which the input was not ready, and the sum of all such times.
    package var longestWait = 0.0
    package var waits = 0.0
    /// The delivered stream (`video`, `app` or `microphone`); `nil` if the handler appended its own samples, or samples of
    /// several streams.
    package var stream: String?
    /// The delivery times of the first and the last delivered sample whose content was appended.
    package var firstCapture: Double?
    package var lastCapture: Double?
    /// How far the last samples are shifted against the first ones (below 0 for cuts). `nil` in a time lapse.
    package var shift: Double?
    /// Whether `markAsFinished` was called more than 0.5 s before `finishWriting`.
    package var isCut = false
    /// The samples of the stream that the handler received while it recorded.
    package var delivered: Delivered?

    /// Whether the delivered samples keep their intervals, except for cuts.
    package var isEven: Bool { shift != nil }

    package init() {}
  }

  /// The samples of a stream that the handler received while it recorded.
  package struct Delivered: Codable, Equatable, Sendable {
    /// The number of delivered samples.
    package var samples = 0
    /// The times of the first and the last sample.
    package var first = 0.0
    package var last = 0.0
    /// The longest gap between two samples, without pauses.
    package var longestGap = 0.0
    /// The sum of all pauses, and the longest pause.
    package var pauses = 0.0
    package var longestPause = 0.0
    /// The sum of the durations of all samples.
    package var seconds = 0.0

    package init() {}
  }
  /// The sentence about an encoder that took fewer than three of four frames, because it was not ready for the others; `nil` if it
  /// took more. The encoder of a device takes all. Such a recording shows too little to be judged.
  package var encoderLag: String? {
    guard let video, let delivered = video.delivered, video.samples * 4 < delivered.samples * 3,
      video.waits > (delivered.last - delivered.first - delivered.pauses) / 4
    else { return nil }
    let name = file.split(separator: "/").last.map(String.init) ?? file
    return
      "The encoder of \(name) took \(video.samples) of \(delivered.samples) frames, and was not ready for others for "
      + "\(video.waits.text(decimals: 1)) s."
  }
}
