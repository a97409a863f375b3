import CBenchmark

/// The two cores a pair of processes is kept on, one each.
struct CorePair: Codable, Equatable {
  let first: Int
  let second: Int

  /// The first two cores this process may use; `nil` when it may use one only.
  static func available() -> CorePair? {
    var cores: [Int32] = [0, 0]
    // UNSAFE: the call fills at most the two places.
    let count = unsafe benchmark_cores(&cores, 2)
    return count == 2 ? CorePair(first: Int(cores[0]), second: Int(cores[1])) : nil
  }
}
