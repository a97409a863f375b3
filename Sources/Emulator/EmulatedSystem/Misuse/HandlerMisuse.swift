/// What a handler does with the system's pixel buffers that a device may punish: each works there today, mostly.
public enum HandlerMisuse: String, CaseIterable, Sendable {
  /// It reached the pixels without having locked the buffer.
  case unlocked
  /// It gave fewer locks back than it took.
  case leftLocked
  /// It reached the pixels after `processSampleBuffer(_:with:)` had returned.
  case afterReturn
  /// It kept the sample or its pixel buffer, into which a later picture was drawn.
  case kept

  /// One sentence: what it did, what comes of it on a device, and the way out.
  public var description: String {
    switch self {
    case .unlocked:
      "The handler reached the pixels of a buffer that it had not locked; on a device they may be old, or not there: "
        + "call CVPixelBufferLockBaseAddress first."
    case .leftLocked:
      "The handler returned with the buffer still locked; on a device its memory then stays in use: call "
        + "CVPixelBufferUnlockBaseAddress as often as CVPixelBufferLockBaseAddress."
    case .afterReturn:
      "The handler reached the pixels of a sample after processSampleBuffer had returned; they belong to a later "
        + "picture then: copy what is needed before."
    case .kept:
      "The handler kept a sample past processSampleBuffer, and the next pictures were drawn into it: copy the pixels, "
        + "and let the sample go."
    }
  }
}
