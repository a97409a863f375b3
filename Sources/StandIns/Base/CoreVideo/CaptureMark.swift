/// Where the content of a sample comes from, which the emulated system notes at the delivery. Copies keep it.
package struct CaptureMark: Sendable {
  /// The raw value of its `RPSampleBufferType`.
  package var stream: Int
  /// The time stamp with which it was delivered.
  package var seconds: Double

  package init(stream: Int, seconds: Double) { (self.stream, self.seconds) = (stream, seconds) }
}
