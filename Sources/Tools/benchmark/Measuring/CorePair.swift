import CBenchmark

/// The two cores that a pair of processes is bound to.
struct CorePair: Codable, Equatable {
  let first: Int
  let second: Int

  /// The first two cores that this process may use; `nil` if it may use only one.
  static func available() -> CorePair? {
    var cores: [Int32] = [0, 0]
    // UNSAFE: the call fills at most the two places.
    let count = unsafe benchmark_cores(&cores, 2)
    return count == 2 ? CorePair(first: Int(cores[0]), second: Int(cores[1])) : nil
  }
}
