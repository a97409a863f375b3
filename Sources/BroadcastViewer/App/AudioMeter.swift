import ScreenBroadcast
import TestPatterns

/// Measures one sound as it arrives: how loud it is, and whether its samples are in step with their times.
///
/// The count of frames and their times are two clocks. How far they run apart is told as drift. A jump of a tenth of a
/// second or more is a pause and no drift; what had built up before it stays.
struct AudioMeter {
  private(set) var state = AudioState()

  private var finder: TimeMarkFinder?
  /// Marks found before the present session or format.
  private var marksBefore: UInt64 = 0
  private var format: (sampleRate: Double, channelCount: Int) = (0, 0)
  /// Where frames are counted from.
  private var base: (time: UInt64, index: UInt64) = (0, 0)
  private var lastDeviation = 0.0
  private var nextIndex: UInt64 = 0
  /// The peaks of the present quarter of a second and of the one before.
  private var peaks: (present: UInt16, last: UInt16) = (0, 0)
  private var samplesInPresent = 0

  /// The rates that are measured, in frames per second.
  private static let sampleRates = 1.0...1_000_000
  /// The least jump that counts as a pause, in nanoseconds.
  private static let pause = 1e8
  /// The least jump that a mark is not looked for across, in nanoseconds.
  private static let hole = 1e6

  /// Takes samples that follow the ones before.
  ///
  /// - Parameters:
  ///   - samples: channel by channel within a frame.
  ///   - time: when the first frame was taken, in monotonic nanoseconds.
  ///   - index: which frame of its session the first one is.
  mutating func add(
    _ samples: [Int16], sampleRate: Double, channelCount: Int, time: UInt64, index: UInt64, session: UInt64
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
    } else {
      measureDrift(time: time, index: index)
    }
    measureMarks(samples, time: time)
    measureLevel(samples)
    state.framesReceived += UInt64(frames)
    nextIndex = index &+ UInt64(frames)
    state.end = time &+ UInt64(Double(frames) / sampleRate * 1e9)
  }

  private mutating func measureDrift(time: UInt64, index: UInt64) {
    // Wrapping: what comes from outside may be anything.
    let elapsed = Double(Int64(bitPattern: time &- base.time))
    let counted = Double(Int64(bitPattern: index &- base.index)) / format.sampleRate * 1e9
    let deviation = elapsed - counted
    let jump = deviation - lastDeviation
    if index != nextIndex || abs(jump) >= Self.hole { finder?.skip() }
    guard abs(jump) < Self.pause else {
      base = (time &- UInt64(bitPattern: Int64(lastDeviation)), index)
      return
    }
    lastDeviation = deviation
    state.drift = max(state.drift, abs(deviation) / 1e6)
  }

  private mutating func measureMarks(_ samples: [Int16], time: UInt64) {
    finder?.add(samples, channelCount: format.channelCount, time: time)
    guard let finder, finder.count > 0 else { return }
    state.marks = marksBefore + finder.count
    state.markOffset = max(state.markOffset, Double(finder.worstOffset) / 1e6)
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
