import Causes
import CommandLineSupport
import EmulatedDevice
import PhoneLink
import PixelAccess
import RunReports
import ScreenBroadcast

/// Shows a watch to the user: sentences, and a live line on a terminal or a line per second elsewhere.
package final class TerminalWatchView: WatchView {
  private let console: Console
  private let polls: String
  private let framesPerSecond: Double
  /// The causes so far, each with the sentence that was last printed for it.
  private var causes: [String: (said: String?, cause: Cause)] = [:]

  /// - Parameters:
  ///   - polls: the word for the source of frames: polls, or the samples of a recorder.
  ///   - framesPerSecond: the maximum rate at which the app receives frames.
  package init(console: Console, polls: String = "polls", framesPerSecond: Double = 30) {
    self.console = console
    self.polls = polls
    self.framesPerSecond = framesPerSecond
  }

  package var failure: ProgramFailure? { console.failure }

  package func show(_ message: WatchMessage) {
    switch message {
    case .stats(let stats) where console.showsLive:
      console.live(line(stats, width: console.liveWidth))
    case .stats(let stats): console.say(line(stats).text)
    case .summary(let summary):
      console.say((lastWords(summary) + Self.text(of: summary, polls: polls)).joined(separator: "\n"))
    default:
      let sentence = Self.sentence(of: message)
      if let sentence { console.say(sentence) }
      if case .cause(let cause, _, _) = message {
        causes[cause.id] = (sentence ?? causes[cause.id]?.said, cause)
      }
    }
  }

  /// The sentences of causes that have changed since they were printed, and a sentence about host load.
  private func lastWords(_ summary: AppSummary) -> [String] {
    let causes = causes.values.sorted { Cause.isBefore($0.cause, $1.cause) }
    return causes.compactMap { $0.said ?? $0.cause.text == $0.cause.text ? nil : $0.cause.text }
      + [causes.map(\.cause).lateness(of: summary.framesOfScreen)].compactMap(\.self)
  }

  /// Returns the sentence of a message; `nil` for rates, the summary, and changes of a capture that a change of phase reports.
  static func sentence(of message: WatchMessage) -> String? {
    switch message {
    case .notice(let text), .problem(let text): text
    case .status(let isActive, _): "Status: " + (isActive ? "active" : "not active") + "."
    case .format(let format): FormatEvent(format).text
    case .audio(let change): AudioEvent(change).text
    case .resumed(let pid): ProducerResumedEvent(pid: pid).text
    case .cause(let cause, let isNew, _): isNew && cause.isReportedAtOnce ? cause.text : nil
    case .app(let change): AppEvent(change).text
    case .capture(let change) where [.started, .interrupted].contains(change.kind): nil
    case .capture(let change): CaptureEvent(change).text
    case .serving(let address): "The page is at \(address)."
    // A cause or a message of the phone reports these.
    case .crashed, .suspended, .appSuspended, .begun, .ended, .control: nil
    case .stats, .summary: nil
    }
  }

  /// Returns the current statistics with their limits, the most important first. Statistics that do not fit into `width` are
  /// omitted. A broadcast that is not live has no statistics.
  func line(_ stats: WatchStats, width: Int = .max) -> [LivePart] {
    var line = [LivePart("\(stats.seconds.clockText) "), LivePart(stats.phase.word, stats.phase.colour)]
    guard stats.phase == .live, let format = stats.format else { return line }
    // The article's layout has neither frame numbers nor times.
    let isTimed = stats.ageMs > 0
    let possible = min(stats.framesPerSecondAsked, framesPerSecond)
    let expected = isTimed ? "/\(possible.text(decimals: 1))" : ""
    let (oldest, hasFrames) = (1500 / framesPerSecond, stats.framesPerSecondOut > 0)
    let parts: [LivePart?] =
      [
        LivePart(
          "\(stats.framesPerSecondOut.text(decimals: 1))\(expected) fps",
          isBeyondLimit: isTimed && stats.isSlow(limit: framesPerSecond)),
        isTimed
          ? LivePart(
            "age \(hasFrames ? stats.ageMs.text(decimals: 0) : "–")/\(oldest.text(decimals: 0)) ms",
            isBeyondLimit: hasFrames && stats.ageMs > oldest) : nil,
        LivePart("torn \(stats.framesTorn)", isBeyondLimit: stats.framesTorn > 0),
        stats.footprintBytes.map { bytes in
          let most = stats.limitBytes.map { "/\($0 >> 20)" } ?? ""
          return LivePart(
            "memory \(Double(bytes).mebibytes)\(most) MiB",
            isBeyondLimit: stats.limitBytes.map { bytes > $0 } == true)
        },
      ] + meters(stats) + [
        isTimed ? LivePart("in \(stats.framesPerSecondIn.text(decimals: 0))") : nil,
        LivePart("\(format.width)x\(format.height) \(format.orientation.name)"),
      ]
    var length = line.text.count
    for part in parts.compactMap({ $0 }) {
      length += 2 + part.text.count
      guard length <= width else { break }
      line += [LivePart("  "), part]
    }
    return line
  }

  /// Returns the audio levels: for each stream, its name and a bar of one character.
  private func meters(_ stats: WatchStats) -> [LivePart] {
    [
      ("app", BroadcastAudioStream.app, stats.appLevelDb), ("mic", .microphone, stats.micLevelDb),
    ].compactMap { name, stream, level in
      // The end of a stream that was silent cannot be heard, so it is not red.
      if let heard = stats.stoppedAudio[stream] { return LivePart("\(name) stopped", heard ? .red : nil) }
      return level.map { LivePart("\(name) \(AudioLevel.bar($0))") }
    }
  }

  /// Returns the result of a watch as lines.
  nonisolated static func text(of summary: AppSummary, polls: String = "polls") -> [String] {
    guard summary.framesDelivered > 0 else { return ["No frames."] }
    let ages = summary.ageMs
    var lines = [
      "\(summary.framesDelivered) frames in \(summary.secondsActive.text(decimals: 1)) s = "
        + "\(summary.framesPerSecond.text(decimals: 2)) fps, from \(summary.polls) \(polls) = "
        + "\(summary.pollsPerSecond.text(decimals: 2)) a second (\(summary.missedTicks) missed)",
      "\(summary.framesSkipped) skipped, \(summary.framesDropped) dropped, \(summary.framesRepeated) repeated, "
        + "\(summary.framesTorn) torn, \(summary.framesVerified) verified"
        + (summary.framesWithoutProof > 0 ? ", \(summary.framesWithoutProof) without the proof pattern" : ""),
    ]
    // The frames of the article's layout have no times, and the samples of a recorder are not published.
    if ages.max > 0 {
      lines.append(
        "age \(ages.p50.text(decimals: 1)) ms at the median, \(ages.p99.text(decimals: 1)) ms at p99, "
          + "\(ages.max.text(decimals: 1)) ms at most"
          + (summary.handOffMs.max > 0
            ? "; seen \(summary.handOffMs.p50.text(decimals: 3)) ms after publishing at the median" : ""))
    }
    return lines + audio(summary)
  }

  private nonisolated static func audio(_ summary: AppSummary) -> [String] {
    let streams = [("app audio", summary.appAudio), ("microphone", summary.microphone)]
    var lines = streams.compactMap { name, audio in
      audio.map { audio in
        "\(name): \(audio.framesReceived) frames, \(audio.framesLost) lost in \(audio.gaps) gaps, "
          + (audio.packetsDropped == 0 ? "" : "\(audio.packetsDropped) packets not published, ") + "peak "
          + "\(audio.peakDb.text(decimals: 1)) dB, drift \(audio.driftMs.text(decimals: 2)) ms"
          + (audio.marks == 0
            ? "" : ", \(audio.marks) time marks at most \(audio.markOffsetMs.text(decimals: 3)) ms off")
          + (audio.absentSeconds == 0
            ? "" : ", nothing in the last \(audio.absentSeconds.text(decimals: 1)) s of the broadcast")
      }
    }
    if let offsets = summary.avOffsetMs {
      lines.append(
        "newest audio after newest frame: \(offsets.p50.text(decimals: 1)) ms at the median, within "
          + "\(offsets.p99.text(decimals: 1)) ms at p99")
    }
    return lines
  }
}
