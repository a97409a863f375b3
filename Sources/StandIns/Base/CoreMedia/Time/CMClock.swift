import EmulatedDevice
import Platform

/// The only clock here is that of the samples' time stamps.
public final class CMClock: Sendable {
  public static let hostTimeClock = CMClock()

  private init() {}

  public var time: CMTime {
    CMTime(value: CMTimeValue(clamping: Device.current.clock.now.nanoseconds), timescale: 1_000_000_000)
  }
}

public func CMClockGetHostTimeClock() -> CMClock { .hostTimeClock }
public func CMClockGetTime(_ clock: CMClock) -> CMTime { clock.time }
