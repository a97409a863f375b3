import Platform
import SharedMemory

/// One run of a broadcast, as its extension describes it.
public struct BroadcastSession: Equatable, Sendable {
  /// The random id of the run.
  public var id: UInt64
  /// The extension's process id.
  public var processID: Int32
  /// When the run began.
  public var startTime: MonotonicTime
  /// Whether the run is live, paused or over; `nil` when the file has an unknown state.
  public var state: RingState?
  /// The number of frames published so far, read or not.
  public var framesPublished: UInt64
  /// The number of frames the extension received and could not publish.
  public var framesDropped: UInt64
  /// The error the run ended with, if it did.
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
