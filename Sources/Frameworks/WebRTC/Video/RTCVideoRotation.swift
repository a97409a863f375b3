/// How far a frame must be turned clockwise to be seen upright, in degrees.
public enum RTCVideoRotation: Int, Sendable {
  /// Not at all.
  case _0 = 0
  /// A quarter turn.
  case _90 = 90
  /// Half a turn.
  case _180 = 180
  /// Three quarters of a turn.
  case _270 = 270
}
