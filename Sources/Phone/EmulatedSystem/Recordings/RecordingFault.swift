import Causes
import CommandLineSupport
import CoreMedia
import Platform

/// What is wrong with a recording.
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
  /// Whether it is a fault whatever the handler means to make; otherwise it is a warning.
  package var isProven: Bool
  package var sentence: String

  package init(rule: Rule, isProven: Bool, sentence: String) {
    (self.rule, self.isProven, self.sentence) = (rule, isProven, sentence)
  }

  /// The fault among other causes.
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

  /// Judges a recording of a broadcast that ended in order.
  ///
  /// A rule compares what was appended with what was delivered meanwhile: neither the load of the machine nor frames that an input
  /// was not ready for make a right recording wrong. A recording of a part, such as a segment or a clip, is judged by what it has.
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
    // Without a sample there is nothing to lose; what was removed was not to be kept.
    let samples = [event.video, event.audio, event.secondAudio].reduce(0) { $0 + ($1?.samples ?? 0) }
    guard samples > 0, event.bytes != nil else { return nil }
    let name = name(of: event)
    switch event.status {
    case .completed: return nil
    case .finishing:
      // A handler that waits with a limit is right: the encoder of a device needs no second.
      let waited = event.waited ?? 0
      return RecordingFault(
        rule: .notWhole, isProven: waited < 1,
        sentence: "\(name) is lost: finishWriting had not finished when the extension ended, "
          + "\(waited.text(decimals: 1)) s after its call.")
    case .unfinished:
      return RecordingFault(
        rule: .notWhole, isProven: event.isThroughout,
        sentence: "\(name) is lost: the extension ended without finishWriting.")
    case .failed:
      // For other reasons than times the writer of a device may take what the stand-in refuses.
      return RecordingFault(
        rule: .writerFailed, isProven: event.failureCode == AVAssetWriterRecord.wrongTimes,
        sentence: "\(name) is lost: its AVAssetWriter failed, as \(event.failure ?? "it says").")
    }
  }

  /// A file that was written when a device may have ended the process; `nil` for another.
  package init?(writtenAfterEnd event: WroteEvent) {
    guard let delay = event.secondsAfterEnd, let name = event.file.split(separator: "/").last else {
      return nil
    }
    (rule, isProven) = (.writtenAfterEnd, false)
    sentence =
      "\(name) was written \(delay.text(decimals: 1)) s after the handler had returned from its last call."
  }

  /// The rules for a whole file.
  private struct Judge {
    let event: RecordingEvent
    let design: RecordingDesign
    private var name: String { RecordingFault.name(of: event) }
    private static let tolerance = 0.3

    private func text(_ seconds: Double) -> String { seconds.text(decimals: 1) }

    /// The usual distance of the delivered pictures.
    private var interval: Double {
      guard let delivered = event.video?.delivered, delivered.samples > 1 else { return 0 }
      return (delivered.last - delivered.first - delivered.pauses) / Double(delivered.samples - 1)
    }

    var blackBeginning: RecordingFault? {
      guard !design.startsWithSound, let start = event.sessionStart, let video = event.video,
        video.samples > 0,
        // Pictures whose times are moved are not late.
        min(video.first, video.firstCapture ?? video.first) - start > max(0.25, 2 * interval)
      else { return nil }
      return RecordingFault(
        rule: .blackBeginning, isProven: false,
        sentence:
          "\(name) is black for its first \(text(video.first - start)) s: its session starts before the picture."
      )
    }

    var tracksApart: RecordingFault? {
      guard let apart = event.apart ?? apartAtFirst, apart > 0.1 else { return nil }
      // Sound that is counted in samples shifts where this machine has dropped some.
      let hole = [event.audio, event.secondAudio].compactMap { $0?.delivered?.longestGap }.max() ?? 0
      return RecordingFault(
        rule: .tracksApart, isProven: event.apart != nil && hole < 0.1,
        sentence:
          "Picture and sound of \(name) are \(apart.text(decimals: 2)) s apart, and were delivered together.")
    }

    /// How far the first picture and the first sound are apart, where the times of later ones are uneven.
    private var apartAtFirst: Double? {
      func shift(_ track: RecordingEvent.Track?) -> Double? {
        track.flatMap { track in track.firstCapture.map { track.first - $0 } }
      }
      guard let picture = shift(event.video), let sound = shift(event.audio) else { return nil }
      return abs(picture - sound)
    }

    /// A time lapse of fewer pictures cannot be told from a recording with a wrong length.
    private static let fewest = 15

    var length: RecordingFault? {
      guard !design.isFree, let video = event.video, let change = video.shift, let delivered = video.delivered
      else { return nil }
      let room = Self.tolerance + interval
      let isKept = abs(change) <= room
      // A handler may cut from the last picture that it could append.
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
        isProven: event.isThroughout && video.samples >= Self.fewest
          && (design.pauses != nil || abs(change) > 0.5),
        sentence: "The pictures of \(name) last \(text(video.last - video.first)) s, and were delivered in "
          + "\(text(time)) s"
          + (delivered.pauses > 0 ? ", of which \(text(delivered.pauses)) s were pauses." : "."))
    }

    var endMissing: RecordingFault? {
      guard !design.isFree, event.isThroughout, let video = event.video, !video.isCut, video.isEven,
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
      // A pause that is kept stands too.
      let room = delivered.longestGap + delivered.longestPause + video.longestWait + 0.25
      guard video.longestGap > room else { return nil }
      return RecordingFault(
        rule: .pictureStands, isProven: false,
        sentence: "\(name) shows one picture for \(text(video.longestGap)) s, in which others were delivered."
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
        isProven: event.isThroughout && lost > track.waits + max(0.5, 0.1 * delivered.seconds),
        sentence:
          "\(name) has \(text(track.seconds)) s of sound, of \(text(delivered.seconds)) s that were delivered."
      )
    }
  }
}
