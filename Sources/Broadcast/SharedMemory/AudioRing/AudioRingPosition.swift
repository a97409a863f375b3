/// A place in the sound of a session, between two packets.
public struct AudioRingPosition: Equatable, Sendable {
  /// The frames before it.
  public var frame: UInt64
  /// The packets before it.
  public var packet: UInt64

  /// A place; by default the start of the session.
  public init(frame: UInt64 = 0, packet: UInt64 = 0) {
    self.frame = frame
    self.packet = packet
  }
}
