import CBenchmark

extension Span<UInt8> {
  /// The sum of all bytes: what a reader does that must have seen each of them.
  var sum: UInt64 {
    // UNSAFE: the bytes of the span, within the closure.
    unsafe withUnsafeBufferPointer { bytes in unsafe benchmark_sum(bytes.baseAddress, bytes.count) }
  }
}
