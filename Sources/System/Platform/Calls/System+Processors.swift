import CPlatform

extension System {
  /// The processors on which the calling thread may run, by number, at most the first 1,024. The corresponding C function
  /// is `sched_getaffinity`.
  package static var allowedProcessors: [Int] {
    var set = ProcessorSet()
    // UNSAFE: the call fills the array, which has its length.
    guard unsafe thread_processors(&set.words) != 0 else { return [] }
    return set.numbers
  }

  /// Restricts the calling thread, and those it creates, to one processor. The corresponding C function is
  /// `sched_setaffinity`.
  package static func restrictThread(toProcessor number: Int) throws(SystemError) {
    let set = ProcessorSet(number)
    // UNSAFE: the call reads the array, which has its length.
    _ = try retrying("sched_setaffinity", "processor \(number)") { unsafe thread_restrict(set.words) }
  }

  /// A set of processors, a bit for each, as the kernel has it.
  private struct ProcessorSet {
    var words = [UInt64](repeating: 0, count: Int(PROCESSOR_SET_WORDS))

    init() {}

    /// The set of one processor; empty for a number that the set has no bit for.
    init(_ number: Int) {
      guard words.indices.contains(number / 64), number >= 0 else { return }
      words[number / 64] = 1 << (number % 64)
    }

    var numbers: [Int] {
      (0..<64 * words.count).filter { words[$0 / 64] & (1 << ($0 % 64)) != 0 }
    }
  }
}
