/// What a ``CMTime`` is besides a number.
public struct CMTimeFlags: OptionSet, Sendable {
  /// The flags as Core Media's bits.
  public let rawValue: UInt32

  /// Flags from Core Media's bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The time is one; without this flag it is none, whatever the others say.
  public static let valid = CMTimeFlags(rawValue: 1)
  /// A conversion or a sum lost some precision.
  public static let hasBeenRounded = CMTimeFlags(rawValue: 2)
  /// The time is later than every number.
  public static let positiveInfinity = CMTimeFlags(rawValue: 4)
  /// The time is earlier than every number.
  public static let negativeInfinity = CMTimeFlags(rawValue: 8)
  /// The time is not known.
  public static let indefinite = CMTimeFlags(rawValue: 16)
  /// The flags under which the value means nothing.
  public static let impliedValueFlagsMask: CMTimeFlags = [.positiveInfinity, .negativeInfinity, .indefinite]
}
