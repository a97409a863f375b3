import CommandLineSupport
import Platform

/// The state of one audio stream of the broadcast, as seen by the app. A frame is one sample of each channel; levels are in
/// decibels below full scale, -96 to 0.
///
/// The counts and maxima of a whole watch are part of the JSON event `summary`.
public struct AudioState: Codable, Equatable, Sendable {
  /// Audio frames that the app received.
  public var framesReceived: UInt64 = 0
  /// Places where audio was overwritten before the app read it.
  public var gaps: UInt64 = 0
  /// The audio frames that are missing in ``gaps``.
  public var framesLost: UInt64 = 0
  /// Packets that the extension received and could not publish, over all sessions.
  public var packetsDropped: UInt64 = 0
  /// The peak of the last quarter to half second.
  package var level = AudioLevel.silence
  /// The peak over the whole watch.
  public var peakDb: Double = AudioLevel.silence
  /// The largest drift (Docs/CommandLine.md#audio-of-a-watch) since the first sound, in milliseconds.
  public var driftMs = 0.0
  /// The time marks found.
  public var marks: UInt64 = 0
  /// The largest distance of a mark from the nearest whole second, in milliseconds (0 to 500).
  public var markOffsetMs = 0.0
  /// Whole seconds of audio without a time mark, after the first mark.
  package var marksMissing: UInt64 = 0
  /// The sum of timestamp jumps of 20 ms or more that are not pauses, in milliseconds (since the first sound, if there was one).
  package var missing = 0.0
  /// The number of stops (no audio for two seconds of the broadcast).
  public var stops: UInt64 = 0
  /// The current time without audio, in seconds; 0 while audio arrives.
  public var absentSeconds = 0.0
  /// The format of the newest audio.
  package var sampleRate = 0.0
  package var channelCount = 0
  /// The losses before the first sound.
  var lossesInSilence = Losses()
  /// The session of the newest audio.
  package var session: UInt64 = 0
  /// The end of the newest audio.
  package var end = MonotonicTime.zero

  /// Counts of this state that are faults.
  struct Losses: Equatable, Sendable {
    var frames: UInt64 = 0, gaps: UInt64 = 0, packets: UInt64 = 0, stops: UInt64 = 0
  }

  /// The limit of drift and mark offsets, in milliseconds: one frame of 60 per second.
  package static let tolerance = 1_000.0 / 60

  private enum CodingKeys: CodingKey {
    case framesReceived, gaps, framesLost, packetsDropped, peakDb, driftMs, marks, markOffsetMs, stops
    case absentSeconds
  }

  /// Whether the stream contained anything but silence.
  var hasSound: Bool { peakDb > AudioLevel.silence }

  /// Whether the stream can be judged. Silence cannot, unless no packet could be published.
  var isJudged: Bool { hasSound || framesReceived == 0 && packetsDropped > 0 }

  /// The losses since the first sound. Gaps in the silence before it (while no app plays) cannot be heard.
  var losses: Losses {
    let before = lossesInSilence
    // Subtract with wraparound, because the counts come from another process.
    return Losses(
      frames: framesLost &- before.frames, gaps: gaps &- before.gaps,
      packets: packetsDropped &- before.packets, stops: stops &- before.stops)
  }

  /// Returns the first fault, as a clause about `name`; `nil` if there is none.
  func fault(named name: String) -> String? {
    guard isJudged else { return nil }
    let losses = losses
    if losses.frames > 0 {
      return
        "\(losses.frames) frames of \(name) were lost in \(losses.gaps) gap\(losses.gaps == 1 ? "" : "s")"
    }
    if losses.packets > 0 {
      return "\(losses.packets) packet\(losses.packets == 1 ? "" : "s") of \(name) were not published"
    }
    if losses.stops > 0 { return "\(name) stopped while the broadcast continued" }
    if missing > 0 {
      return
        "\(missing.text(decimals: 1)) ms of \(name) are missing without a pause: the extension did not get them"
    }
    if marksMissing > 0 {
      return "\(name) had \(marksMissing) second\(marksMissing == 1 ? "" : "s") without a time mark"
    }
    if markOffsetMs > Self.tolerance {
      return "a time mark of \(name) is \(markOffsetMs.text(decimals: 1)) ms off"
    }
    if driftMs > Self.tolerance {
      return "\(name) drifted \(driftMs.text(decimals: 1)) ms from its timestamps"
    }
    return nil
  }
}
