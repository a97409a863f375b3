/// Identifies the origin of a sample's content. The emulated system sets it on delivery; copies keep it.
package struct CaptureMark: Sendable {
  /// The raw value of the sample's `RPSampleBufferType`.
  package var stream: Int
  /// The timestamp of the sample on delivery, in seconds.
  package var seconds: Double

  package init(stream: Int, seconds: Double) {
    self.stream = stream
    self.seconds = seconds
  }
}
