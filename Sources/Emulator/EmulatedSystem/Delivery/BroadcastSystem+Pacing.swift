import Platform

extension BroadcastSystem {
  /// The time after which a frame comes although the handler holds all buffers.
  static let starvedInterval = Duration.seconds(6)

  /// Which of the frames that are due are taken.
  struct Pacing {
    /// No frame is due before this time.
    var stillUntil = MonotonicTime.zero
    var framesToSkip = 0
    /// The number of frames that are taken together, when the last of them is due.
    var burstSize = 0
    /// The due times of the frames of an unfinished burst.
    var held: [MonotonicTime] = []
    /// When the last frame was drawn.
    var lastFrame = MonotonicTime.zero
    /// Frames that were due and not taken, by reason.
    var dropped = BroadcastReport.Drops()

    /// Skips the frames of an unfinished burst.
    mutating func dropHeld() {
      dropped.leftOut += UInt64(held.count)
      (held, burstSize) = ([], 0)
    }
  }
}
