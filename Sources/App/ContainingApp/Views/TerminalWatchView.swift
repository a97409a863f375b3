import CommandLineSupport
import MemoryKillRecord
import PixelAccess
import ScreenBroadcast

/// Shows a watch to a person: sentences, a live line on a terminal, a line a second elsewhere.
package final class TerminalWatchView: WatchView {
  private let console: Console
  private let looks: String

  /// A view on a console.
  ///
  /// - Parameter looks: the word for what frames come from: polls, or samples of a recorder.
  package init(console: Console, looks: String = "polls") {
    self.console = console
    self.looks = looks
  }

  /// Why nothing can be written any more: mostly because the reader has gone.
  package var failure: ProgramFailure? { console.failure }

  /// Prints or draws it.
  package func show(_ output: WatchOutput) {
    switch output {
    case .notice(let text): console.say(text)
    case .problem(let text): console.say(text)
    case .status(let isActive, _): console.say("Status: " + (isActive ? "active" : "not active") + ".")
    case .format(let format): console.say("Frames: \(Self.text(format)).")
    case .stats(let stats):
      if console.showsLive {
        console.live(Self.liveLine(stats, width: console.liveWidth))
      } else {
        console.say(Self.line(stats))
      }
    case .crashed(let pid, let kill):
      let what = kill?.description ?? "died without ending the broadcast"
      console.say("The producer (process \(pid)) \(what); the flag still says active.")
    case .suspended(let pid):
      console.say("The producer (process \(pid)) is stopped; no frames come until it goes on.")
    case .resumed(let pid): console.say("The producer (process \(pid)) goes on.")
    case .appSuspended(let seconds):
      console.say("This app did not run for \(seconds.text(decimals: 1)) s; what came meanwhile is skipped.")
    case .capture(let change): if let line = Self.line(change) { console.say(line) }
    case .summary(let summary):
      let lines = Self.lines(summary, looks: looks)
      console.say(summary.framesDelivered == 0 ? "No frames." : lines.joined(separator: "\n"))
    }
  }

  static func line(_ stats: WatchStats) -> String {
    guard let format = stats.format else { return "\(clock(stats))  \(stats.phase.word)" }
    return [
      clock(stats), stats.phase.word, "in \(stats.framesPerSecondIn.text(decimals: 1))",
      "out \(stats.framesPerSecondOut.text(decimals: 1)) fps", "age \(stats.ageMs.text(decimals: 1)) ms",
      "skipped \(stats.framesSkipped)", "torn \(stats.framesTorn)",
      "\(format.width)x\(format.height) \(format.orientation.name)", stats.bitRate.bitRateText,
    ].joined(separator: "  ") + meters(stats).map { "  \($0)" }.joined()
  }

  /// How loud each sound is: its name, a bar of one character, and the peak in decibels.
  private static func meters(_ stats: WatchStats) -> [String] {
    [("app", stats.appLevelDb), ("mic", stats.micLevelDb)].compactMap { name, level in
      level.map { "\(name) \(AudioLevel.bar($0)) \($0.text(decimals: 0)) dB" }
    }
  }

  /// The same on a terminal: in short where it does not fit, and without the last parts where that does not.
  static func liveLine(_ stats: WatchStats, width: Int) -> String {
    let whole = Self.line(stats)
    guard whole.count > width else { return whole }
    var line = "\(clock(stats)) \(stats.phase.word)"
    guard let format = stats.format else { return line }
    let meters = meters(stats)
    let parts =
      [
        "\(stats.framesPerSecondIn.text(decimals: 1))>\(stats.framesPerSecondOut.text(decimals: 1)) fps",
        "\(stats.ageMs.text(decimals: 1)) ms", "skip \(stats.framesSkipped)", "torn \(stats.framesTorn)",
      ] + meters + [
        "\(format.width)x\(format.height) \(format.orientation.name)", stats.bitRate.bitRateText,
      ]
    for part in parts {
      guard line.count + 2 + part.count <= width else { break }
      line += "  " + part
    }
    return line
  }

  private static func clock(_ stats: WatchStats) -> String {
    let seconds = Int(stats.seconds)
    return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
  }

  /// What there is to say of a capture that is not said of its phase; a refused start is told as the failure.
  static func line(_ change: CaptureChange) -> String? {
    switch change.kind {
    case .started, .interrupted: nil
    case .refused: change.error.map { "A start was refused: \($0.text)" }
    case .background: "The app is in the background: no samples come until it is back."
    case .foreground: "The app is on the screen again."
    }
  }

  static func lines(_ summary: WatchSummary, looks: String = "polls") -> [String] {
    let ages = summary.ageMs
    let lines = [
      "\(summary.framesDelivered) frames in \(summary.secondsActive.text(decimals: 1)) s = "
        + "\(summary.framesPerSecond.text(decimals: 2)) fps, from \(summary.polls) \(looks) = "
        + "\(summary.pollsPerSecond.text(decimals: 2)) a second (\(summary.missedTicks) missed)",
      "\(summary.framesSkipped) skipped, \(summary.framesRepeated) repeated, \(summary.framesTorn) torn, "
        + "\(summary.framesVerified) verified",
    ]
    // Frames without times have no age.
    guard ages.max > 0 else { return lines + sounds(summary) }
    let age =
      "age \(ages.p50.text(decimals: 1)) ms at the median, \(ages.p99.text(decimals: 1)) ms at p99, "
      + "\(ages.max.text(decimals: 1)) ms at most"
    // Nothing is published by a recorder.
    guard summary.handOffMs.max > 0 else { return lines + [age] + sounds(summary) }
    return lines + [
      age + "; seen \(summary.handOffMs.p50.text(decimals: 3)) ms after publishing at the median"
    ] + sounds(summary)
  }

  private static func sounds(_ summary: WatchSummary) -> [String] {
    let sounds = [("app audio", summary.appAudio), ("microphone", summary.microphone)]
    var lines = sounds.compactMap { name, sound in
      sound.map { sound in
        "\(name): \(sound.framesReceived) frames, \(sound.framesLost) lost in \(sound.gaps) gaps, peak "
          + "\(sound.peakDb.text(decimals: 1)) dB, drift \(sound.driftMs.text(decimals: 2)) ms"
          + (sound.marks == 0
            ? "" : ", \(sound.marks) time marks at most \(sound.markOffsetMs.text(decimals: 3)) ms off")
      }
    }
    if let offsets = summary.avOffsetMs {
      lines.append(
        "newest sound after newest picture: \(offsets.p50.text(decimals: 1)) ms at the median, within "
          + "\(offsets.p99.text(decimals: 1)) ms at p99")
    }
    return lines
  }

  private static func text(_ format: FrameFormat) -> String {
    "\(format.width)x\(format.height), \(format.pixelFormat.fourCharacters), orientation \(format.orientation.name)"
  }
}
