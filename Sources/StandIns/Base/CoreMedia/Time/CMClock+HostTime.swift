// Models the functions in CoreMedia/CMSync.h that convert between timestamps of samples and `mach_absolute_time()`.

public func CMClockConvertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
  guard hostTime.isNumeric else { return 0 }
  let time = CMTimeConvertScale(hostTime, timescale: 24_000_000, method: .roundTowardZero)
  return time.isNumeric ? UInt64(max(0, time.value)) : 0
}

public func CMClockMakeHostTimeFromSystemUnits(_ hostTime: UInt64) -> CMTime {
  CMTime(
    value: CMTimeValue(clamping: UInt128(hostTime) * 125 / 3), timescale: 1_000_000_000)
}

extension CMClock {
  public static func convertHostTimeToSystemUnits(_ hostTime: CMTime) -> UInt64 {
    CMClockConvertHostTimeToSystemUnits(hostTime)
  }

}
