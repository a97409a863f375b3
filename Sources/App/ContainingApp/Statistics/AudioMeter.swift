import Foundation
import Platform
import ScreenBroadcast
import TestPatterns

/// Measures one audio stream: its level, and whether its samples match their times.
///
/// The frame count and the timestamps are two clocks. Drift is the difference between them. A jump at a pause is not drift.
/// Any other jump of nearly a packet or more is missing audio.
struct AudioMeter {
  private(set) var state = AudioState()

  private var finder: TimeMarkFinder?
  /// The number of marks found before the current session or format.
  private var marksBefore: UInt64 = 0
  private var format: (sampleRate: Double, channelCount: Int) = (0, 0)
  /// The time and the frame index from which drift is measured.
  private var base: (time: MonotonicTime, index: UInt64) = (.zero, 0)
  private var lastDeviation = Duration.zero
  private var pauses: UInt32 = 0
  /// The number of consecutive frames that are 0.
  private var silentFrames = 0
  /// The number of frames since the last mark, silence or hole.
  private var framesSinceMark = 0
  private var nextIndex: UInt64 = 0
  /// The peaks of the current and the previous quarter of a second.
  private var peaks: (present: UInt16, last: UInt16) = (0, 0)
  private var samplesInPresent = 0

  /// The sample rates that are measured, in Hz.
  private static let sampleRates = 1.0...1_000_000
  /// The shortest jump that counts as missing audio. A packet of 1,024 frames takes at least 21 ms.
  private static let jump = Duration.milliseconds(20)
  /// The shortest jump that interrupts a mark.
  private static let hole = Duration.milliseconds(1)
  /// The shortest silence that counts as a stretch without marks. It is shorter than any packet.
  private static let silence = Duration.milliseconds(20)
  /// The time since the last mark after which a mark counts as missing. Marks come once a second.
  private static let markLimit = Duration.milliseconds(1500)

  /// Adds the audio that follows the audio added before.
  mutating func add(_ audio: BroadcastAudio) {
    guard Self.sampleRates.contains(audio.sampleRate), audio.channelCount > 0, !audio.samples.isEmpty else {
      return
    }
    let isFirstSound = !state.hasSound && audio.samples.contains { $0 != 0 }
    if isFirstSound {
      state.lossesInSilence = state.losses
      (state.driftMs, state.missing) = (0, 0)
    }
    if isFirstSound || audio.session != state.session || format != (audio.sampleRate, audio.channelCount) {
      format = (audio.sampleRate, audio.channelCount)
      (state.sampleRate, state.channelCount) = format
      finder = Int(exactly: audio.sampleRate).flatMap { TimeMarkFinder(sampleRate: $0) }
      marksBefore = state.marks
      state.session = audio.session
      base = (audio.time, audio.index)
      lastDeviation = .zero
      framesSinceMark = 0
    } else {
      measureDrift(time: audio.time, index: audio.index, isAfterPause: audio.pauses != pauses)
    }
    pauses = audio.pauses
    measureMarks(audio.samples, time: audio.time)
    measureLevel(audio.samples)
    state.framesReceived += UInt64(audio.frameCount)
    nextIndex = audio.index &+ UInt64(audio.frameCount)
    state.end = audio.time + .seconds(Double(audio.frameCount) / audio.sampleRate)
  }

  private mutating func measureDrift(time: MonotonicTime, index: UInt64, isAfterPause: Bool) {
    // Subtract with wraparound, because the index comes from another process.
    let counted = Duration.seconds(Double(Int64(bitPattern: index &- base.index)) / format.sampleRate)
    let deviation = time - base.time - counted
    let jump = deviation - lastDeviation
    let size = max(jump, .zero - jump)
    if index != nextIndex || isAfterPause || size >= Self.hole {
      finder?.skip()
      framesSinceMark = 0
    }
    guard !isAfterPause, size < Self.jump else {
      if !isAfterPause { state.missing += size / .milliseconds(1) }
      base = (time - lastDeviation, index)
      return
    }
    lastDeviation = deviation
    state.driftMs = max(state.driftMs, abs(deviation / .milliseconds(1)))
  }

  private mutating func measureMarks(_ samples: [Int16], time: MonotonicTime) {
    let before = finder?.count
    finder?.add(samples, channelCount: format.channelCount, time: time)
    guard let finder, finder.count > 0 else { return }
    countMissingMarks(samples, hasMark: finder.count != before)
    state.marks = marksBefore + finder.count
    state.markOffsetMs = max(state.markOffsetMs, finder.worstOffset / .milliseconds(1))
  }

  /// Counts whole seconds without a mark, after the first mark. Silence, as in a phone call, has no marks.
  private mutating func countMissingMarks(_ samples: [Int16], hasMark: Bool) {
    let silence = Int(Self.silence / .seconds(1) * format.sampleRate)
    var place = 0
    while place < samples.count {
      silentFrames = samples[place] == 0 ? silentFrames + 1 : 0
      framesSinceMark = silentFrames >= silence ? 0 : framesSinceMark + 1
      place += format.channelCount
    }
    if hasMark { framesSinceMark = 0 }
    while Double(framesSinceMark) >= Self.markLimit / .seconds(1) * format.sampleRate {
      state.marksMissing += 1
      framesSinceMark -= Int(format.sampleRate)
    }
  }

  private mutating func measureLevel(_ samples: [Int16]) {
    let length = max(1, Int(format.sampleRate / 4)) * format.channelCount
    var peak: UInt16 = 0
    for sample in samples {
      let magnitude = sample.magnitude
      if magnitude > peak { peak = magnitude }
      if magnitude > peaks.present { peaks.present = magnitude }
      samplesInPresent += 1
      guard samplesInPresent >= length else { continue }
      peaks = (0, peaks.present)
      samplesInPresent = 0
    }
    state.level = AudioLevel.decibels(max(peaks.present, peaks.last))
    state.peakDb = max(state.peakDb, AudioLevel.decibels(peak))
  }

  /// Sets how long the audio has been absent. The start of an absence counts as a stop.
  mutating func setAbsence(_ absence: Duration) {
    if absence > .zero, state.absentSeconds == 0 { state.stops += 1 }
    state.absentSeconds = absence / .seconds(1)
  }

  /// Copies the counts of the audio's context.
  mutating func count(_ counts: AudioBufferContext.Statistics) {
    state.gaps = counts.gaps
    state.framesLost = counts.framesLost
    state.packetsDropped = counts.packetsDropped
  }
}

/// Converts audio levels, in decibels below full scale (-96 to 0).
enum AudioLevel {
  static let silence = -96.0

  /// Returns the level of a peak of 16-bit samples.
  static func decibels(_ peak: UInt16) -> Double {
    peak == 0 ? silence : max(silence, 20 * log10(Double(peak) / 32_768))
  }

  /// Returns a character of eight heights for a level; the lowest stands for -56 dB or less.
  static func bar(_ decibels: Double) -> Character {
    Array("▁▂▃▄▅▆▇█")[min(7, Int((min(max(decibels, -64), 0) + 64) / 8))]
  }
}
