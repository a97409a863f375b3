import Platform

/// A source of time. Models the type of CoreMedia/CMSync.h for the clock of the samples' time stamps.
public final class CMClock: Sendable {
  /// The clock of the samples' time stamps.
  public static let hostTimeClock = CMClock()

  private init() {}

  /// The present time, in nanoseconds.
  public var time: CMTime {
    CMTime(value: CMTimeValue(clamping: DeviceScope.hostClock.now.nanoseconds), timescale: 1_000_000_000)
  }
}

/// Returns the clock of the samples' time stamps.
public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }

/// Returns the present time of a clock.
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }
