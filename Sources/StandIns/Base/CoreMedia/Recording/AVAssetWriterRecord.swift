import CoreVideo
import Foundation
import Platform
import Synchronization

/// The record of a writer, from which the emulated system judges the recording. All times are in seconds: times of
/// samples as they were appended, and times of calls by the system's clock, which the delivered samples use too.
package struct AVAssetWriterRecord: Sendable {
  package var writer: ObjectIdentifier
  package var url: URL
  package var status: Status
  /// Why the writer failed.
  package var failure: String?
  /// The code of the underlying error.
  package var failureCode: Int?
  /// The code for times that a writer does not accept.
  package static let wrongTimes = -12_633
  /// The start of the session.
  package var start: Double?
  /// When `finishWriting` was called.
  package var finishCall: Double?
  package var tracks: [Track]

  /// `AVAssetWriter.Status` with the same numbers, so that the emulated system does not need AVFoundation.
  package enum Status: Int, Sendable {
    case unknown, writing, completed, failed, cancelled
  }

  package enum MediaType: Sendable { case video, audio, other }

  package init(
    writer: ObjectIdentifier, url: URL, status: Status, failure: String?, start: Double?, finishCall: Double?,
    tracks: [Track]
  ) {
    self.writer = writer
    self.url = url
    self.status = status
    self.failure = failure
    self.start = start
    self.finishCall = finishCall
    self.tracks = tracks
  }

  /// The samples that were appended to one input.
  package struct Track: Sendable {
    package var mediaType: MediaType
    package private(set) var count = 0
    package private(set) var first: Double?
    package private(set) var last: Double?
    package private(set) var longestGap = 0.0
    /// The sum of the durations of all samples.
    package private(set) var seconds = 0.0
    /// The stream of the delivered samples whose content was appended; `nil` if there is none, or several.
    package private(set) var stream: Int?
    package private(set) var hasSeveralStreams = false
    /// The differences between the times of the samples on append and on delivery.
    package private(set) var stretches: [Stretch] = []
    private var hasManyStretches = false
    /// Whether the difference changes too often for ``stretches``, as in a time lapse.
    package var isUneven: Bool { hasManyStretches || stretches.count > 2 + count / 16 }
    /// How long the input was not ready: the longest time, and the sum of all times.
    package private(set) var longestWait = 0.0
    package private(set) var waits = 0.0
    /// When `markAsFinished` was called.
    package var finishCall: Double?
    private var waitStart: Double?

    package init(_ mediaType: MediaType) { self.mediaType = mediaType }

    /// Successive captured samples with the same difference between the times on append and on delivery.
    package struct Stretch: Sendable {
      package var from: Double
      package var to: Double
      package var shift: Double

      package init(from: Double, to: Double, shift: Double) {
        self.from = from
        self.to = to
        self.shift = shift
      }
    }

    package mutating func add(at time: Double, lasting duration: Double, _ mark: CaptureMark?) {
      if let last { longestGap = max(longestGap, time - last) }
      (first, last, count) = (first ?? time, time, count + 1)
      if duration.isFinite { seconds += duration }
      guard let mark else { return }
      hasSeveralStreams = hasSeveralStreams || stream.map { $0 != mark.stream } ?? false
      stream = hasSeveralStreams ? nil : mark.stream
      let shift = time - mark.seconds
      guard let newest = stretches.last else {
        return stretches = [Stretch(from: mark.seconds, to: mark.seconds, shift: shift)]
      }
      // A frame may be appended again at a later time.
      guard mark.seconds > newest.to else { return }
      if abs(shift - newest.shift) < 0.02 {
        stretches[stretches.count - 1].to = mark.seconds
      } else if stretches.count < 64 {
        stretches.append(Stretch(from: mark.seconds, to: mark.seconds, shift: shift))
      } else {
        hasManyStretches = true
      }
    }

    /// Records whether the input accepts samples from now on.
    package mutating func setReady(_ isReady: Bool) {
      let now = Self.now
      if !isReady { waitStart = waitStart ?? now }
      guard isReady, let begin = waitStart else { return }
      (waits, longestWait, waitStart) = (waits + now - begin, max(longestWait, now - begin), nil)
    }

    package static var now: Double { Double(SystemClock().now.nanoseconds) / 1e9 }
  }
}

/// A writer that provides its record to the emulated system.
package protocol RecordedWriter: AnyObject, Sendable {
  var record: AVAssetWriterRecord { get }
}

extension AVAssetWriterRecord {
  /// An event of a writer that is reported to the emulated system.
  package enum Event: Sendable {
    /// A sample was appended while its input was not ready.
    case earlyAppend
    case started(any RecordedWriter)
    /// `finishWriting` was called.
    case finishing(ObjectIdentifier)
    /// The writer has completed, has failed or was cancelled.
    case ended(AVAssetWriterRecord)
  }

  package static let onEvent = Mutex<Callback<@Sendable (Event) -> Void>?>(nil)

  package static func tell(_ event: Event) { onEvent.withLock(\.self)?.call(event) }
}
