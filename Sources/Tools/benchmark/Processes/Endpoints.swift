/// The sending end of a transport.
protocol FrameSender {
  /// Sends one frame.
  func send() throws
  /// Reports the end of the frames.
  func finish() throws
}

/// The receiving end of a transport that is polled.
protocol PolledReceiver {
  func look() throws -> Look
}

/// The receiving end of a transport that waits for frames.
protocol WaitingReceiver {
  /// Calls `onFrame` with the age of each frame until the last.
  func receive(_ onFrame: (_ age: UInt64) -> Void) throws
}

/// The result of a poll.
enum Look {
  /// A frame, with the nanoseconds since its publication.
  case frame(age: UInt64)
  /// Nothing new.
  case nothing
  /// The end of the frames.
  case over
}

/// A receiving end of either kind.
enum AnyReceiver {
  case polled(any PolledReceiver)
  case waiting(any WaitingReceiver)
}
