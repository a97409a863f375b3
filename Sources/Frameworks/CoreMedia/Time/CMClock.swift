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

/// Returns a time multiplied by `multiplier / divisor`, rounded to the time's scale; invalid for a divisor of zero, and
/// for a result that does not fit. Models the function of CoreMedia/CMTime.h.
public func CMTimeMultiplyByRatio(_ time: CMTime, multiplier: Int32, divisor: Int32) -> CMTime {
  guard divisor != 0 else { return .invalid }
  guard time.isNumeric else { return time }
  let product = Int128(time.value) * Int128(multiplier)
  let (quotient, rest) = product.quotientAndRemainder(dividingBy: Int128(divisor))
  let isUp = rest.magnitude * 2 >= divisor.magnitude
  let rounded = quotient + (isUp ? ((product < 0) == (divisor < 0) ? 1 : -1) : 0)
  guard let value = CMTimeValue(exactly: rounded) else { return .invalid }
  let flags: CMTimeFlags = rest == 0 ? time.flags : time.flags.union(.hasBeenRounded)
  return CMTime(value: value, timescale: time.timescale, flags: flags, epoch: time.epoch)
}
