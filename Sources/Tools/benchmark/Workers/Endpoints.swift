/// The end of a transport that frames go into.
protocol FrameSender {
  /// Hands over one frame.
  func send() throws
  /// Tells the other end that there are no more.
  func finish() throws
}

/// The end of a transport that has to be asked.
protocol PolledReceiver {
  /// What there is now.
  func look() throws -> Look
}

/// The end of a transport that waits for frames itself.
protocol WaitingReceiver {
  /// Calls `onFrame` with the age of each frame until there are no more.
  func receive(_ onFrame: (_ age: UInt64) -> Void) throws
}

/// What a look at a transport finds.
enum Look {
  /// A frame, seen so many nanoseconds after it was published.
  case frame(age: UInt64)
  /// Nothing new.
  case nothing
  /// Nothing new, and nothing will come.
  case over
}

/// The end that receives, of either kind.
enum AnyReceiver {
  case polled(any PolledReceiver)
  case waiting(any WaitingReceiver)
}
