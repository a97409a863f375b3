import Platform

/// A session of a producer, to which a ring belongs.
public struct RingSession: Equatable, Sendable {
  /// A random number other than 0, different for each session.
  public var id: UInt64
  /// The writer's process ID, for messages. Use `ProcessLock` to find out whether the writer is alive.
  public var processID: Int32
  /// The time at which the session began.
  public var startTime: MonotonicTime

  package init(id: UInt64, processID: Int32, startTime: MonotonicTime) {
    self.id = id
    self.processID = processID
    self.startTime = startTime
  }

  package init(startTime: MonotonicTime) {
    self.init(
      id: UInt64.random(in: 1...UInt64.max), processID: System.processID, startTime: startTime)
  }
}

/// The state of a session, as published by its writer in the ring.
public enum RingState: UInt64, Sendable {
  /// The session is running; frames may arrive.
  case live = 1
  /// The session is paused; no frames arrive until it is live again.
  case paused = 2
  /// The session has ended; no more frames arrive.
  case finished = 3
  /// The session continues in a new file of the same name, because this one was too small or damaged.
  case replaced = 4
}

/// The error that ended a session: the domain, code and description of its `NSError`.
public struct RingSessionError: Error, Equatable, Sendable {
  /// The error domain (in the ring, at most 126 bytes of UTF-8).
  public var domain: String
  /// The code within the domain.
  public var code: Int
  /// The localized description (in the ring, at most 510 bytes of UTF-8).
  public var text: String

  /// Creates an error from its parts.
  public init(domain: String, code: Int, text: String) {
    self.domain = domain
    self.code = code
    self.text = text
  }
}
