import Causes
import CommandLineSupport
import CoreMedia
import Platform

/// A fault of a recording.
package struct RecordingFault: Equatable, Sendable {
  package enum Rule: String, Sendable {
    case notWhole = "not whole"
    case writerFailed = "writer failed"
    case blackBeginning = "black beginning"
    case tracksApart = "tracks apart"
    case length
    case endMissing = "end missing"
    case pictureStands = "picture stands"
    case soundLost = "sound lost"
    case writtenAfterEnd = "written after the end"
  }

  package var rule: Rule
  /// Whether the recording is wrong whatever the handler intends. Otherwise the fault is a warning.
  package var isProven: Bool
  package var sentence: String

  package init(rule: Rule, isProven: Bool, sentence: String) {
    self.rule = rule
    self.isProven = isProven
    self.sentence = sentence
  }

  /// Returns the fault as a cause.
  package func cause(at time: MonotonicTime) -> Cause {
    let kind: Cause.Kind =
      switch rule {
      case .writtenAfterEnd: .writtenAfterEnd
      case .notWhole, .writerFailed, .endMissing: .recordingLost
      case .blackBeginning, .tracksApart, .length, .pictureStands, .soundLost: .recordingWrong
      }
    return Cause(
      kind, rule == .writtenAfterEnd ? "" : rule.rawValue, isProven ? .fault : .warning, from: time, sentence)
  }

  /// Judges a recording of a broadcast that ended normally.
  ///
  /// Each rule compares the appended samples with the samples delivered in the same time. Neither host load nor an input that was
  /// not ready makes a correct recording wrong. A partial recording (a segment or a clip) is judged by the part that it contains.
  package static func all(of event: RecordingEvent, _ design: RecordingDesign = .init()) -> [RecordingFault] {
    guard event.status == .completed else { return notWhole(event).map { [$0] } ?? [] }
    let judge = Judge(event: event, design: design)
    return [judge.blackBeginning, judge.tracksApart, judge.length, judge.endMissing, judge.pictureStands]
      .compactMap(\.self) + [event.audio, event.secondAudio].compactMap { $0.flatMap(judge.soundLost) }
  }

  private static func name(of event: RecordingEvent) -> String {
    event.file.split(separator: "/").last.map(String.init) ?? event.file
  }

  private static func notWhole(_ event: RecordingEvent) -> RecordingFault? {
    // A recording without a sample loses nothing. A removed file was not meant to be kept.
    let samples = [event.video, event.audio, event.secondAudio].reduce(0) { $0 + ($1?.samples ?? 0) }
    guard samples > 0, event.bytes != nil else { return nil }
    let name = name(of: event)
    switch event.status {
    case .completed: return nil
    case .finishing:
      // A handler that waits with a timeout is correct, because the encoder of a device needs less than a second.
      let waited = event.waited ?? 0
      return RecordingFault(
        rule: .notWhole, isProven: waited < 1,
        sentence: "\(name) is lost: finishWriting had not finished when the extension ended, "
          + "\(waited.text(decimals: 1)) s after its call.")
    case .unfinished:
      return RecordingFault(
        rule: .notWhole, isProven: event.coversBroadcast,
        sentence: "\(name) is lost: the extension ended without finishWriting.")
    case .failed:
      // The stand-in may reject samples that a device accepts, except for invalid times.
      return RecordingFault(
        rule: .writerFailed, isProven: event.failureCode == AVAssetWriterRecord.wrongTimes,
        sentence: "\(name) is lost: its AVAssetWriter failed (\(event.failure ?? "no reason given")).")
    }
  }

  /// Creates the fault of a file that was written when a device may have ended the process; `nil` if it was written earlier.
  package init?(writtenAfterEnd event: WroteEvent) {
    guard let delay = event.secondsAfterEnd, let name = event.file.split(separator: "/").last else {
      return nil
    }
    (rule, isProven) = (.writtenAfterEnd, false)
    sentence =
      "\(name) was written \(delay.text(decimals: 1)) s after the handler had returned from its last call."
  }

  /// The rules for a complete file.
  private struct Judge {
    let event: RecordingEvent
    let design: RecordingDesign
    private var name: String { RecordingFault.name(of: event) }
    private static let tolerance = 0.3

    private func text(_ seconds: Double) -> String { seconds.text(decimals: 1) }

    /// The mean interval of the delivered frames.
    private var interval: Double {
      guard let delivered = event.video?.delivered, delivered.samples > 1 else { return 0 }
      return (delivered.last - delivered.first - delivered.pauses) / Double(delivered.samples - 1)
    }

    var blackBeginning: RecordingFault? {
      guard !design.startsWithSound, let start = event.sessionStart, let video = event.video,
        video.samples > 0,
        // Frames with shifted times are not late.
        min(video.first, video.firstCapture ?? video.first) - start > max(0.25, 2 * interval)
      else { return nil }
      return RecordingFault(
        rule: .blackBeginning, isProven: false,
        sentence:
          "\(name) is black for its first \(text(video.first - start)) s: its session starts before the first picture."
      )
    }

    var tracksApart: RecordingFault? {
      guard let drift = event.avDriftSeconds ?? driftAtFirst, drift > 0.1 else { return nil }
      // Sound whose times are counted in samples shifts if this host has dropped some.
      let hole = [event.audio, event.secondAudio].compactMap { $0?.delivered?.longestGap }.max() ?? 0
      return RecordingFault(
        rule: .tracksApart, isProven: event.avDriftSeconds != nil && hole < 0.1,
        sentence:
          "Picture and sound of \(name) are \(drift.text(decimals: 2)) s apart, but were delivered together.")
    }

    /// The offset between the first frame and the first sound, for tracks with later times that are uneven.
    private var driftAtFirst: Double? {
      func shift(_ track: RecordingEvent.Track?) -> Double? {
        track.flatMap { track in track.firstCapture.map { track.first - $0 } }
      }
      guard let picture = shift(event.video), let sound = shift(event.audio) else { return nil }
      return abs(picture - sound)
    }

    /// The minimum number of frames for a proof. A shorter time lapse looks like a recording with a wrong length.
    private static let fewest = 15

    var length: RecordingFault? {
      guard !design.isFree, let video = event.video, let change = video.shift, let delivered = video.delivered
      else { return nil }
      let room = Self.tolerance + interval
      let isKept = abs(change) <= room
      // A handler may cut pauses from the last frame that it could append.
      let isCut = change <= room - delivered.pauses && change >= -room - delivered.pauses - video.waits
      let isRight =
        switch design.pauses {
        case nil: isKept || isCut
        case .kept?: isKept
        case .cut?: isCut
        }
      guard !isRight else { return nil }
      let time = (video.lastCapture ?? 0) - (video.firstCapture ?? 0)
      return RecordingFault(
        rule: .length,
        isProven: event.coversBroadcast && video.samples >= Self.fewest
          && (design.pauses != nil || abs(change) > 0.5),
        sentence: "The pictures of \(name) span \(text(video.last - video.first)) s, but were delivered in "
          + "\(text(time)) s"
          + (delivered.pauses > 0 ? " (\(text(delivered.pauses)) s of them pauses)." : "."))
    }

    var endMissing: RecordingFault? {
      guard !design.isFree, event.coversBroadcast, let video = event.video, !video.isCut, video.isEven,
        let last = video.lastCapture, let delivered = video.delivered
      else { return nil }
      let missing = delivered.last - last - video.longestWait - interval
      guard missing > 1 else { return nil }
      return RecordingFault(
        rule: .endMissing, isProven: false,
        sentence: "\(name) ends \(text(delivered.last - last)) s before the last picture.")
    }

    var pictureStands: RecordingFault? {
      guard !design.isFree, let video = event.video, video.isEven, let delivered = video.delivered else {
        return nil
      }
      // A pause that is kept also shows one frame.
      let room = delivered.longestGap + delivered.longestPause + video.longestWait + 0.25
      guard video.longestGap > room else { return nil }
      return RecordingFault(
        rule: .pictureStands, isProven: false,
        sentence: "\(name) shows one picture for \(text(video.longestGap)) s, although others were delivered."
      )
    }

    func soundLost(_ track: RecordingEvent.Track) -> RecordingFault? {
      guard !design.isFree, !track.isCut, track.stream != nil, let delivered = track.delivered else {
        return nil
      }
      let lost = delivered.seconds - track.seconds
      guard lost > track.waits + 0.3 else { return nil }
      return RecordingFault(
        rule: .soundLost,
        isProven: event.coversBroadcast && lost > track.waits + max(0.5, 0.1 * delivered.seconds),
        sentence:
          "\(name) has \(text(track.seconds)) s of sound, but \(text(delivered.seconds)) s were delivered."
      )
    }
  }
}
