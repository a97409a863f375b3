import ScreenBroadcast
import TestPatterns

/// Measures one sound as it arrives: how loud it is, and whether its samples are in step with their times.
///
/// The count of frames and their times are two clocks. How far they run apart is told as drift. A jump at a pause is
/// none; what had built up before it stays. Another jump of a tenth of a second or more is time that is missing.
struct AudioMeter {
  private(set) var state = AudioState()

  private var finder: TimeMarkFinder?
  /// Marks found before the present session or format.
  private var marksBefore: UInt64 = 0
  private var format: (sampleRate: Double, channelCount: Int) = (0, 0)
  /// Where frames are counted from.
  private var base: (time: UInt64, index: UInt64) = (0, 0)
  private var lastDeviation = 0.0
  private var pauses: UInt32 = 0
  /// Frames in a row that are 0.
  private var silentFrames = 0
  /// Frames of sound since the last mark, silence or hole.
  private var framesSinceMark = 0
  private var nextIndex: UInt64 = 0
  /// The peaks of the present quarter of a second and of the one before.
  private var peaks: (present: UInt16, last: UInt16) = (0, 0)
  private var samplesInPresent = 0

  /// The rates that are measured, in frames per second.
  private static let sampleRates = 1.0...1_000_000
  /// The least jump that is no drift, in nanoseconds.
  private static let jump = 1e8
  /// The least silence in which no mark is expected, in seconds: less than any packet.
  private static let silence = 0.02
  /// After so much sound without a mark one is missing, in seconds.
  private static let markLimit = 1.5
  /// The least jump that a mark is not looked for across, in nanoseconds.
  private static let hole = 1e6

  /// Takes samples that follow the ones before.
  ///
  /// - Parameters:
  ///   - samples: channel by channel within a frame.
  ///   - time: when the first frame was taken, in monotonic nanoseconds.
  ///   - index: which frame of its session the first one is.
  ///   - pauses: how many pauses of the session came before.
  mutating func add(
    _ samples: [Int16], sampleRate: Double, channelCount: Int, time: UInt64, index: UInt64, session: UInt64,
    pauses: UInt32 = 0
  ) {
    guard Self.sampleRates.contains(sampleRate), channelCount > 0, !samples.isEmpty else { return }
    let frames = samples.count / channelCount
    if session != state.session || format != (sampleRate, channelCount) || state.framesReceived == 0 {
      format = (sampleRate, channelCount)
      finder = Int(exactly: sampleRate).flatMap { TimeMarkFinder(sampleRate: $0) }
      marksBefore = state.marks
      state.session = session
      base = (time, index)
      lastDeviation = 0
      framesSinceMark = 0
    } else {
      measureDrift(time: time, index: index, isBehindPause: pauses != self.pauses)
    }
    self.pauses = pauses
    measureMarks(samples, time: time)
    measureLevel(samples)
    state.framesReceived += UInt64(frames)
    nextIndex = index &+ UInt64(frames)
    state.end = time &+ UInt64(Double(frames) / sampleRate * 1e9)
  }

  private mutating func measureDrift(time: UInt64, index: UInt64, isBehindPause: Bool) {
    // Wrapping: what comes from outside may be anything.
    let elapsed = Double(Int64(bitPattern: time &- base.time))
    let counted = Double(Int64(bitPattern: index &- base.index)) / format.sampleRate * 1e9
    let deviation = elapsed - counted
    let jump = deviation - lastDeviation
    if index != nextIndex || isBehindPause || abs(jump) >= Self.hole {
      finder?.skip()
      framesSinceMark = 0
    }
    guard !isBehindPause, abs(jump) < Self.jump else {
      if !isBehindPause { state.missing += abs(jump) / 1e6 }
      base = (time &- UInt64(bitPattern: Int64(lastDeviation)), index)
      return
    }
    lastDeviation = deviation
    state.drift = max(state.drift, abs(deviation) / 1e6)
  }

  private mutating func measureMarks(_ samples: [Int16], time: UInt64) {
    let before = finder?.count
    finder?.add(samples, channelCount: format.channelCount, time: time)
    guard let finder, finder.count > 0 else { return }
    countMissingMarks(samples, hasMark: finder.count != before)
    state.marks = marksBefore + finder.count
    state.markOffset = max(state.markOffset, Double(finder.worstOffset) / 1e6)
  }

  /// Where marks began, whole seconds of sound without one are counted. A silence, as in a phone call, has none.
  private mutating func countMissingMarks(_ samples: [Int16], hasMark: Bool) {
    let silence = Int(Self.silence * format.sampleRate)
    for place in stride(from: 0, to: samples.count, by: format.channelCount) {
      silentFrames = samples[place] == 0 ? silentFrames + 1 : 0
      framesSinceMark = silentFrames >= silence ? 0 : framesSinceMark + 1
    }
    if hasMark { framesSinceMark = 0 }
    while Double(framesSinceMark) >= Self.markLimit * format.sampleRate {
      state.marksMissing += 1
      framesSinceMark -= Int(format.sampleRate)
    }
  }

  private mutating func measureLevel(_ samples: [Int16]) {
    let length = max(1, Int(format.sampleRate / 4)) * format.channelCount
    for sample in samples {
      peaks.present = max(peaks.present, sample.magnitude)
      samplesInPresent += 1
      guard samplesInPresent >= length else { continue }
      peaks = (0, peaks.present)
      samplesInPresent = 0
    }
    state.level = AudioLevel.decibels(max(peaks.present, peaks.last))
    // A packet may be longer than what the level is of.
    state.peak = max(state.peak, AudioLevel.decibels(samples.reduce(0) { max($0, $1.magnitude) }))
  }

  /// Takes over what was counted elsewhere.
  mutating func count(_ counts: AudioBufferContext.Statistics) {
    state.gaps = counts.gaps
    state.framesLost = counts.framesLost
    state.packetsDropped = counts.packetsDropped
  }
}
