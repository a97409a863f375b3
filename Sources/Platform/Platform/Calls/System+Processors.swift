import CPlatform

extension System {
  /// The processors on which the calling thread may run, by number, at most the first 1,024. The corresponding C function
  /// is `sched_getaffinity`.
  package static var allowedProcessors: [Int] {
    var words = noProcessors
    // UNSAFE: the call fills the array, which has its length.
    guard unsafe thread_processors(&words) != 0 else { return [] }
    return (0..<64 * words.count).filter { words[$0 / 64] & (1 << ($0 % 64)) != 0 }
  }

  /// Restricts the calling thread, and those it creates, to some processors. The corresponding C function is
  /// `sched_setaffinity`.
  package static func restrictThread(toProcessors numbers: [Int]) throws(SystemError) {
    // Without a bit for any number, the call fails as for a processor that does not exist.
    var words = noProcessors
    for number in numbers where (0..<64 * words.count).contains(number) {
      words[number / 64] |= 1 << (number % 64)
    }
    let names = numbers.map(String.init).joined(separator: ", ")
    // UNSAFE: the call reads the array, which has its length.
    _ = try retrying("sched_setaffinity", "processors \(names)") { unsafe thread_restrict(words) }
  }

  /// A set of processors, a bit for each, as the kernel has it.
  private static let noProcessors = [UInt64](repeating: 0, count: Int(PROCESSOR_SET_WORDS))
}
