import CBenchmark

extension Span<UInt8> {
  /// The sum of all bytes, which a reader can only compute by reading each of them.
  var sum: UInt64 {
    // UNSAFE: the bytes of the span, within the closure.
    unsafe withUnsafeBufferPointer { bytes in unsafe benchmark_sum(bytes.baseAddress, bytes.count) }
  }
}
