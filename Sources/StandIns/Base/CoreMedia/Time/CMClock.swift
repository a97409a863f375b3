import EmulatedDevice
import Platform

/// The clock of the samples' timestamps is the only clock here.
public final class CMClock: Sendable {
  public static let hostTimeClock = CMClock()

  private init() {}

  public var time: CMTime {
    CMTime(value: CMTimeValue(clamping: Device.current.clock.now.nanoseconds), timescale: 1_000_000_000)
  }
}

public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }
