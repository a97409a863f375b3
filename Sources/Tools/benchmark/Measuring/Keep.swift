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
