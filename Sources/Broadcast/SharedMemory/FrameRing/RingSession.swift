import Platform

/// Which run of a producer a ring belongs to.
public struct RingSession: Equatable, Sendable {
  /// A random number, never 0; no two sessions share it.
  public var id: UInt64
  /// The writer's process id, for messages; liveness is the ``ProducerLock``.
  public var processID: Int32
  /// When the session began.
  public var startTime: MonotonicTime

  /// A session from its three numbers.
  public init(id: UInt64, processID: Int32, startTime: MonotonicTime) {
    self.id = id
    self.processID = processID
    self.startTime = startTime
  }
}
