import Platform
import ScreenBroadcast

/// The position of audio in time, in a file that holds all audio one after the other. Frames are those of the file.
struct AudioTimeline {
  /// The frames per second of the file.
  private let sampleRate: Double
  private var session: UInt64?
  /// The frames per second of the audio, before it was converted.
  private var sourceRate = 0.0
  /// The time of the first of `written` frames.
  private var start = MonotonicTime.zero
  private var written = 0
  private var nextIndex: UInt64 = 0
  /// The arrival of the first audio of the session, and the frames written since.
  private var arrived = MonotonicTime.zero
  private var total = 0

  /// The shortest gap in the times that is filled, in seconds: shorter ones come from rounding and clock differences.
  private static let tolerance = 0.02
  /// The longest silence for one gap, in seconds: times come from outside.
  static let longestHole = 600.0
  /// The time by which the file may be longer than the time that has passed, in seconds: the unread content of a ring.
  static let slack = 4.0

  /// A timeline of a file with a rate, which is positive.
  init(sampleRate: Double) { self.sampleRate = sampleRate }

  /// The frames of silence before `audio`, which is written as a number of frames, so that it is at its time in the file. The first audio of a session follows
  /// the previous one directly, and the first audio of all begins at `recordingStart` if there is one. The file never gets
  /// longer than the time that has passed since then.
  mutating func silence(
    before audio: BroadcastAudio, writtenAs frames: Int, arrival: MonotonicTime,
    recordingStart: MonotonicTime? = nil
  ) -> Int {
    let isSameRate = audio.sampleRate == sourceRate
    defer { (nextIndex, sourceRate) = (audio.index &+ UInt64(audio.frameCount), audio.sampleRate) }
    guard audio.session == session else {
      let first = session == nil ? recordingStart : nil
      session = audio.session
      (start, written) = (audio.time, frames)
      (arrived, total) = (arrival, frames)
      guard let first, audio.time > first else { return 0 }
      let passed = max(.zero, arrival - first) / .seconds(1) + Self.slack
      return Int((min((audio.time - first) / .seconds(1), passed, Self.longestHole) * sampleRate).rounded())
    }
    let due = (audio.time - start) / .seconds(1) - Double(written) / sampleRate
    let passed = max(.zero, arrival - arrived) / .seconds(1) + Self.slack
    let most = max(0, min(Self.longestHole, passed - Double(total) / sampleRate))
    var hole = 0
    defer { total += hole + frames }
    if due > most || due < -Self.tolerance {
      // An impossible time, or one before the end of what is written: it becomes the new start.
      hole = due > Self.tolerance ? Int(most * sampleRate) : 0
      (start, written) = (audio.time, frames)
      return hole
    }
    if due > Self.tolerance {
      hole = Int((due * sampleRate).rounded())
    } else if isSameRate, sourceRate == sampleRate, audio.index > nextIndex,
      Double(audio.index - nextIndex) <= Self.tolerance * sampleRate
    {
      hole = Int(audio.index - nextIndex)
    }
    written += hole + frames
    return hole
  }

  /// The frames of silence between the end of what is written and `end`: for audio that stopped before the frames did.
  func silence(until end: MonotonicTime, now: MonotonicTime) -> Int {
    guard session != nil else { return 0 }
    let due = (end - start) / .seconds(1) - Double(written) / sampleRate
    guard due > Self.tolerance else { return 0 }
    let passed = max(.zero, now - arrived) / .seconds(1) + Self.slack
    return Int(max(0, min(due, Self.longestHole, passed - Double(total) / sampleRate)) * sampleRate)
  }
}
