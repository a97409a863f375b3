import Platform

/// Frames of sound that follow one another without a break.
public struct AudioRun: Equatable, Sendable {
  /// How many frames of the session came before the first one.
  public var firstFrame: UInt64
  /// When the first frame was recorded.
  public var captureTime: MonotonicTime
  /// The samples, in this machine's byte order, the channels taking turns.
  public var samples: [Int16]
  /// How many pauses of the session came before it.
  public var pauses: UInt32 = 0
}
