import CBenchmark

/// Keeps results from being optimised away.
enum Keep {
  @inline(__always)
  static func value(_ value: UInt64) { benchmark_keep(value) }

  @inline(never)
  static func object(_ object: AnyObject) {
    benchmark_keep(UInt64(UInt(bitPattern: ObjectIdentifier(object))))
  }
}
