import CoreMedia

/// A picture of the screen as a sample, and the memory it lies in, which the handler may reach only while it is lent.
struct ScreenSample: Sendable {
  let buffer: CMSampleBuffer
  private let memory: ScreenMemory?

  init(_ buffer: CMSampleBuffer, memory: ScreenMemory?) {
    self.buffer = buffer
    self.memory = memory
  }

  /// Lends the picture while `body` runs.
  func lend(_ body: (CMSampleBuffer) -> Void) {
    memory?.lend()
    body(buffer)
    memory?.takeBack()
  }
}
