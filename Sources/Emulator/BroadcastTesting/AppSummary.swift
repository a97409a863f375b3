/// The figures of the app, with the names that the event `summary` of `consumer` has.
///
/// ```swift
/// #expect(try await broadcast.app.summary().framesTorn == 0)
/// ```
/// Rates are per second of an active broadcast; delays are in milliseconds.
public struct AppSummary: Codable, Equatable, Sendable {
  /// Frames that the app received.
  public var framesDelivered: UInt64
  /// Frames that were replaced between two polls.
  public var framesSkipped: UInt64
  /// Frames that the extension received in its last session and could not publish.
  public var framesDropped: UInt64
  /// Frames that the app received more than once.
  public var framesRepeated: UInt64
  /// Frames of a broadcast that was over, received more than half a second after their publication.
  public var framesStale: UInt64
  /// Frames of the proof pattern with bytes of another frame or place, or of none.
  public var framesTorn: UInt64
  /// Frames that do not show the proof pattern.
  public var framesWithoutProof: UInt64
  /// Frames of the proof pattern that arrived whole.
  public var framesVerified: UInt64
  /// Reads that were repeated because the extension overtook them.
  public var readsOvertaken: UInt64
  /// The changes of the flag.
  public var statusChanges: UInt64
  /// Polls for a frame.
  public var polls: UInt64
  /// Polls for a frame per second.
  public var pollsPerSecond: Double
  /// Polls that were skipped because the one before took too long.
  public var missedTicks: UInt64
  /// Frames received per second.
  public var framesPerSecond: Double
  /// The time with an active broadcast, in seconds.
  public var secondsActive: Double
  /// The delays from the capture of frames to their arrival.
  public var ageMs: Delays
  /// The delays from the publication of frames to the reads that found them.
  public var handOffMs: Delays
  /// The app audio; `nil` if none came.
  public var appAudio: Audio?
  /// The microphone; `nil` if nothing of it came.
  public var microphone: Audio?
  /// How much later than each frame the newest audio was recorded; `nil` without both.
  public var avOffsetMs: Delays?

  /// Whether frames were received, and all of them whole and once.
  package var isWhole: Bool {
    framesDelivered > 0 && framesVerified == framesDelivered && framesTorn == 0 && framesRepeated == 0
      && framesStale == 0
  }

  /// Percentiles of delays, in milliseconds.
  public struct Delays: Codable, Equatable, Sendable {
    /// The median.
    public var p50: Double
    /// The delay that 99 of 100 do not exceed.
    public var p99: Double
    /// The maximum.
    public var max: Double
  }

  /// The figures of one audio stream. A frame is one sample of each channel.
  public struct Audio: Codable, Equatable, Sendable {
    /// Frames that the app received.
    public var framesReceived: UInt64
    /// Places with missing frames, which were overwritten before the app read them.
    public var gaps: UInt64
    /// The frames that are missing in ``gaps``.
    public var framesLost: UInt64
    /// Packets that the extension received and did not publish.
    public var packetsDropped: UInt64
    /// How often the audio stayed away for two seconds or more while other samples came.
    public var stops: UInt64
    /// The seconds of such a stop at the end; 0 if audio came until then.
    public var absentSeconds: Double
    /// The peak, in decibels below full scale: -96 to 0.
    public var peakDb: Double
    /// The maximum difference between the count of frames and their times, in milliseconds.
    public var driftMs: Double
    /// The time marks found.
    public var marks: UInt64
    /// The maximum distance of a mark from the nearest whole second, in milliseconds.
    public var markOffsetMs: Double
  }
}
