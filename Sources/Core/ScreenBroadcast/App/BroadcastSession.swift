import Platform
import SharedMemory

/// A session of a broadcast, as described by its extension.
public struct BroadcastSession: Equatable, Sendable {
  /// The random ID of the session.
  public var id: UInt64
  /// The process ID of the extension.
  public var processID: Int32
  /// The time at which the session began.
  public var startTime: MonotonicTime
  /// The state of the session (live, paused or over); `nil` if the state in the file is unknown.
  public var state: RingState?
  /// The number of frames published so far, whether read or not.
  public var framesPublished: UInt64
  /// The number of frames that the extension received but could not publish.
  public var framesDropped: UInt64
  /// The error that ended the session, if any.
  public var error: RingSessionError?

  init(_ reader: FrameRingReader) {
    id = reader.session.id
    processID = reader.session.processID
    startTime = reader.session.startTime
    state = reader.state
    framesPublished = reader.framesPublished
    framesDropped = reader.framesDropped
    error = reader.sessionError
  }
}
