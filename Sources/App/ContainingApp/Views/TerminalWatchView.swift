import Causes
import CommandLineSupport
import EmulatedDevice
import PhoneLink
import PixelAccess
import RunReports
import ScreenBroadcast

/// Shows a watch to people: sentences, and a live line on a terminal or a line per second elsewhere.
package final class TerminalWatchView: WatchView {
  private let console: Console
  private let polls: String
  private let framesPerSecond: Double
  /// The causes so far, and what was said of each.
  private var causes: [String: (said: String?, cause: Cause)] = [:]

  /// - Parameters:
  ///   - polls: the word for the source of frames: polls, or the samples of a recorder.
  ///   - framesPerSecond: what the app can receive.
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

  /// The sentences of causes that have grown since they were said, and how late the machine was.
  private func lastWords(_ summary: AppSummary) -> [String] {
    let causes = causes.values.sorted { Cause.isBefore($0.cause, $1.cause) }
    return causes.compactMap { $0.said ?? $0.cause.text == $0.cause.text ? nil : $0.cause.text }
      + [causes.map(\.cause).lateness(of: summary.framesOfScreen)].compactMap(\.self)
  }

  /// The sentence about an event; `nil` for rates, the summary, and a change of a capture that the phase has a sentence for.
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
    // These have a cause, or the phone says them.
    case .crashed, .suspended, .appSuspended, .begun, .ended, .control: nil
    case .stats, .summary: nil
    }
  }

  /// The figures that matter now, each with its limit, the first the most. Parts that do not fit are left out, and a broadcast
  /// that is not live has no figures.
  func line(_ stats: WatchStats, width: Int = .max) -> [PageData] {
    var line = [PageData("\(stats.seconds.clockText) "), PageData(stats.phase.word, stats.phase.colour)]
    guard stats.phase == .live, let format = stats.format else { return line }
    // The article's layout has neither a count nor times.
    let isTimed = stats.ageMs > 0
    let possible = min(stats.framesPerSecondAsked, framesPerSecond)
    let expected = isTimed ? "/\(possible.text(decimals: 1))" : ""
    let (oldest, hasFrames) = (1500 / framesPerSecond, stats.framesPerSecondOut > 0)
    let parts: [PageData?] =
      [
        PageData(
          "\(stats.framesPerSecondOut.text(decimals: 1))\(expected) fps",
          isBeyondLimit: isTimed && stats.isSlow(limit: framesPerSecond)),
        isTimed
          ? PageData(
            "age \(hasFrames ? stats.ageMs.text(decimals: 0) : "–")/\(oldest.text(decimals: 0)) ms",
            isBeyondLimit: hasFrames && stats.ageMs > oldest) : nil,
        PageData("torn \(stats.framesTorn)", isBeyondLimit: stats.framesTorn > 0),
        stats.footprintBytes.map { bytes in
          let most = stats.limitBytes.map { "/\($0 >> 20)" } ?? ""
          return PageData(
            "memory \(Double(bytes).mebibytes)\(most) MiB",
            isBeyondLimit: stats.limitBytes.map { bytes > $0 } == true)
        },
      ] + meters(stats) + [
        isTimed ? PageData("in \(stats.framesPerSecondIn.text(decimals: 0))") : nil,
        PageData("\(format.width)x\(format.height) \(format.orientation.name)"),
      ]
    var length = line.text.count
    for part in parts.compactMap({ $0 }) {
      length += 2 + part.text.count
      guard length <= width else { break }
      line += [PageData("  "), part]
    }
    return line
  }

  /// The levels of audio: the name and a bar of one character.
  private func meters(_ stats: WatchStats) -> [PageData] {
    [
      ("app", BroadcastAudioStream.app, stats.appLevelDb), ("mic", .microphone, stats.micLevelDb),
    ].compactMap { name, stream, level in
      // Nothing is heard of the end of silence.
      if let heard = stats.stoppedAudio[stream] { return PageData("\(name) stopped", heard ? .red : nil) }
      return level.map { PageData("\(name) \(AudioLevel.bar($0))") }
    }
  }

  /// The result of a watch, a line each.
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
