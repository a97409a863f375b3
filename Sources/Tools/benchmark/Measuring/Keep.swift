import CBenchmark

/// Keeps the optimiser from removing results.
enum Keep {
  @inline(__always)
  static func value(_ value: UInt64) { benchmark_keep(value) }

  @inline(never)
  static func object(_ object: AnyObject) {
    benchmark_keep(UInt64(UInt(bitPattern: ObjectIdentifier(object))))
  }
}

extension Span<UInt8> {
  /// The sum of all bytes, which a reader can only compute by reading each of them.
  var sum: UInt64 {
    // UNSAFE: the bytes of the span, within the closure.
    unsafe withUnsafeBufferPointer { bytes in unsafe benchmark_sum(bytes.baseAddress, bytes.count) }
  }
}
