import BroadcastTesting
import CommandLineSupport
import Programs

/// The checks of a stream: its length, its frames, its audio, and the offset between audio and frames.
///
/// Rates, delays and complete audio need a machine that runs the programs on time. Where it did not, they are not judged.
struct StreamJudgement {
  /// The time for which the producer should broadcast.
  var time: Duration
  var end: BroadcastEnd
  /// What the consumer reported as wrong with frames or audio; `nil` if nothing was.
  var audioFault: String?
  var summary: AppSummary
  /// The times from the capture of the newest frame to the end of the newest audio, in milliseconds, one per second.
  var avOffsetsMs: [Double]
  /// The delays that the machine caused; `nil` if they were within ``allowedDelay``.
  var shortfall: String?

  /// The delay of a thread's turn that the checks have room for.
  static let allowedDelay = Duration.milliseconds(20)

  private static let rate = 60.0
  /// The share of the frames that the producer must have; a busy machine may drop the rest.
  private static let share = 0.99
  /// The frames per second that the consumer must have at least: nine tenths of its polls, because it starts later.
  private static let pollRate = 27.0
  /// The allowed drift, and the allowed change of the offset between audio and frames, in milliseconds: one frame.
  private static let longestDrift = 1000 / rate
  /// The fewest offsets for a result; a packet and a frame are as long as the allowed change.
  private static let fewestOffsets = 24
  /// The length of a run that yields enough offsets for a judgement.
  private static let timeForOffsets = Duration.seconds(30)

  /// The offset in the first and in the last third of the run; `nil` for too few offsets.
  var offsets: Flatness? {
    avOffsetsMs.count < Self.fewestOffsets ? nil : Flatness(avOffsetsMs, tolerance: Self.longestDrift)
  }

  var audio: [(name: String, stream: AppSummary.Audio?)] {
    [("app audio", summary.appAudio), ("microphone", summary.microphone)]
  }

  var figures: [Figure] {
    let streams = audio.compactMap(\.stream)
    var figures = [
      Figure("framesProduced", end.framesProduced, "frames produced"),
      Figure("framesDropped", end.framesDropped, "frames dropped"),
      Figure("framesPerSecond", end.framesPerSecond, "frames per second"),
      Figure("framesVerified", summary.framesVerified, "frames received and verified"),
      Figure("appAudioFrames", summary.appAudio?.framesReceived ?? 0, "frames of app audio"),
      Figure("microphoneFrames", summary.microphone?.framesReceived ?? 0, "frames of the microphone"),
      Figure("driftMs", streams.map(\.driftMs).max() ?? 0, "ms of drift at most"),
      Figure(
        "markOffsetMs", streams.map(\.markOffsetMs).max() ?? 0, "ms from a time mark to its second, at most"),
      Figure(
        "avOffsetMs", summary.avOffsetMs?.p50 ?? 0, "ms from the newest frame to the newest audio, median"),
      Figure("notJudged", shortfall == nil ? 0 : late.count, "checks not judged"),
    ]
    if let offsets {
      figures += [
        Figure("avOffsetFirstMs", offsets.first, "ms in the first third"),
        Figure("avOffsetLastMs", offsets.last, "ms in the last third"),
      ]
    }
    return figures
  }

  /// The checks that failed, as sentences without a full stop.
  var failures: [String] { untimely + (shortfall == nil ? late : []) }

  /// Why checks that failed do not count; `nil` if none did.
  var notJudged: String? {
    guard let shortfall, !late.isEmpty else { return nil }
    return "Not judged, because the machine was too slow (\(shortfall)): \(late.joined(separator: "; "))."
  }

  /// The failures that no delay of the machine causes.
  private var untimely: [String] {
    var failures: [String] = []
    if end.seconds < time.inSeconds {
      failures.append("the producer broadcast for \(seconds) s of \(time.inSeconds.text(decimals: 2))")
    }
    if !summary.isWhole { failures.append("the frames were not whole: \(summary)") }
    for (name, audio) in audio where (audio?.framesReceived ?? 0) == 0 {
      failures.append("there was no \(name)")
    }
    return failures
  }

  /// The failures that a delay of the machine may cause too.
  private var late: [String] {
    let expected = Self.rate * end.seconds
    let (first, last) = (offsets?.first ?? 0, offsets?.last ?? 0)
    var failures: [String] = []
    func check(_ holds: Bool, _ failure: String) { if !holds { failures.append(failure) } }
    check(
      end.framesPerSecond >= Self.share * Self.rate,
      "the producer had \(end.framesPerSecond.text(decimals: 2)) frames per second, not \(Self.rate)")
    check(
      abs(Double(end.framesProduced) - expected) <= (1 - Self.share) * expected,
      "the producer had \(end.framesProduced) frames in \(seconds) s, not \(expected.text(decimals: 0))")
    check(
      Double(summary.framesDelivered) >= Self.pollRate * end.seconds,
      "the consumer received \(summary.framesDelivered) frames in \(seconds) s, "
        + "less than \(Self.pollRate.text(decimals: 0)) per second")
    check(
      abs(last - first) <= Self.longestDrift,
      "audio and frames lost step: the newest audio ended \(first.text(decimals: 1)) ms after the newest frame "
        + "at the beginning and \(last.text(decimals: 1)) ms at the end")
    check(
      offsets != nil || time < Self.timeForOffsets,
      "\(avOffsetsMs.count) offsets between audio and frames are too few to check that they stay in step")
    check(end.audioDropped == 0, "\(end.audioDropped) packets of audio were not delivered")
    if let audioFault { failures.append("the consumer reported: \(audioFault)") }
    for (name, audio) in audio {
      guard let audio, audio.framesReceived > 0 else { continue }
      check(audio.gaps == 0 && audio.framesLost == 0, "the \(name) has \(audio.gaps) gaps")
      check(audio.driftMs <= Self.longestDrift, "the \(name) drifted by \(audio.driftMs) ms")
      check(
        audio.marks > 0 && audio.markOffsetMs <= Self.longestDrift,
        "the \(audio.marks) time marks of the \(name) are off by up to \(audio.markOffsetMs) ms")
    }
    return failures
  }

  private var seconds: String { end.seconds.text(decimals: 2) }
}
