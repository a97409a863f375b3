/// Which way a time is rounded when its new time scale cannot hold it.
public enum CMTimeRoundingMethod: UInt32, Sendable {
  /// To the nearest value; a half goes away from zero.
  case roundHalfAwayFromZero = 1
  /// Towards zero.
  case roundTowardZero = 2
  /// Away from zero.
  case roundAwayFromZero = 3
  /// Towards zero when the time scale becomes smaller, away from zero when it becomes larger.
  case quickTime = 4
  /// Up.
  case roundTowardPositiveInfinity = 5
  /// Down.
  case roundTowardNegativeInfinity = 6

  /// The method Core Media uses when none is asked for.
  public static let `default` = CMTimeRoundingMethod.roundHalfAwayFromZero
}
