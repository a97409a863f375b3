/// A use of the system's pixel buffers that happens to work on today's devices and is not allowed.
package enum HandlerMisuse: String, CaseIterable, Sendable {
  case unlocked, leftLocked, afterReturn, kept

  /// One sentence: the misuse, its consequence on a device, and the way out.
  package var description: String {
    switch self {
    case .unlocked:
      "The handler accessed the pixels of a buffer that it had not locked; on a device they may be old or missing: "
        + "call CVPixelBufferLockBaseAddress first."
    case .leftLocked:
      "The handler returned with the buffer still locked; on a device its memory stays in use: call "
        + "CVPixelBufferUnlockBaseAddress as often as CVPixelBufferLockBaseAddress."
    case .afterReturn:
      "The handler accessed the pixels of a sample after processSampleBuffer had returned; by then they belong to a "
        + "later frame: copy the pixels before the return."
    case .kept:
      "The handler kept a sample after processSampleBuffer had returned, and later frames were drawn into it: copy "
        + "the pixels and release the sample."
    }
  }
}
