extension CMTime: Comparable {
  /// Whether two times are equal as ``CMTimeCompare(_:_:)`` has it: 1/2 equals 2/4.
  public static func == (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) == 0 }

  /// Whether the first time is the earlier one as ``CMTimeCompare(_:_:)`` has it.
  public static func < (time1: CMTime, time2: CMTime) -> Bool { CMTimeCompare(time1, time2) < 0 }

  /// The sum; see ``CMTimeAdd(_:_:)``.
  public static func + (addend1: CMTime, addend2: CMTime) -> CMTime { CMTimeAdd(addend1, addend2) }

  /// The difference; see ``CMTimeSubtract(_:_:)``.
  public static func - (minuend: CMTime, subtrahend: CMTime) -> CMTime {
    CMTimeSubtract(minuend, subtrahend)
  }
}
