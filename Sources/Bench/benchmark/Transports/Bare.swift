import CBenchmark
import CPlatform
import Platform

/// A word that counts frames, on which the other end may sleep.
final class BareSender: FrameSender {
  private let mapping: BareMapping
  private var number: UInt64 = 0

  init(_ job: Job) throws { mapping = try BareMapping(path: job.file(), creates: true) }

  func send() {
    number += 1
    // UNSAFE: words of the mapping.
    unsafe benchmark_store(mapping.word(.time), SystemClock().now.nanoseconds)
    unsafe benchmark_store(mapping.word(.newest), number)
    unsafe shared_wake(mapping.word(.newest))
  }

  func finish() {
    // UNSAFE: words of the mapping.
    unsafe benchmark_store(mapping.word(.ended), 1)
    unsafe benchmark_store(mapping.word(.newest), number + 1)
    unsafe shared_wake(mapping.word(.newest))
  }
}

final class BareReceiver: PolledReceiver {
  private let mapping: BareMapping
  private var last: UInt64 = 0

  init(_ job: Job) throws { mapping = try BareMapping(path: job.file(), creates: false) }

  // UNSAFE: a word of the mapping.
  func waitForFrame() {
    unsafe shared_wait(
      mapping.word(.newest), UInt32(truncatingIfNeeded: last), (SystemClock().now + .seconds(1)).nanoseconds)
  }

  // UNSAFE: a word of the mapping.
  var hasEnded: Bool { unsafe benchmark_load(mapping.word(.ended)) != 0 }

  func poll() throws -> Duration? {
    // UNSAFE: words of the mapping.
    let number = unsafe benchmark_load(mapping.word(.newest))
    guard number != last, !hasEnded else { return nil }
    let received = SystemClock().now
    let published = MonotonicTime(nanoseconds: unsafe benchmark_load(mapping.word(.time)))
    last = number
    // Without synchronisation the time may already be that of the next frame.
    return max(.zero, received - published)
  }
}

/// Either end of two words that the processes write in turn. The sender reports the time of one crossing.
final class CacheLineEnd: TransportEnd {
  /// The round trips of the word per report.
  private static let roundTrips = 100

  private let mapping: BareMapping
  private var number: UInt64 = 0

  init(_ job: Job) throws { mapping = try BareMapping(path: job.file(), creates: job.role == .sender) }

  func run(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) {
    if job.role == .receiver { return answer() }
    let clock = SystemClock()
    while clock.now < start + job.duration {
      let time = clock.measure {
        for _ in 0..<Self.roundTrips {
          number += 1
          // UNSAFE: words of the mapping.
          unsafe benchmark_store(mapping.word(.newest), number)
          while unsafe benchmark_load(mapping.word(.answer)) != number {}
        }
      }
      report(time / (2 * Self.roundTrips))
    }
    // UNSAFE: a word of the mapping.
    unsafe benchmark_store(mapping.word(.ended), 1)
  }

  private func answer() {
    // UNSAFE: words of the mapping.
    while unsafe benchmark_load(mapping.word(.ended)) == 0 {
      let newest = unsafe benchmark_load(mapping.word(.newest))
      if newest != number { unsafe benchmark_store(mapping.word(.answer), newest) }
      number = newest
    }
  }
}

/// A mapped file with a page of words and with slots, without the ring's synchronisation. Reserved and populated like the
/// ring's file, so that only the use of the bytes differs.
@safe
final class BareMapping {
  /// The offsets of the words, each on a cache line of its own.
  enum Word: Int {
    case newest = 0
    case time = 128
    case answer = 256
    case ended = 384
  }

  // UNSAFE: owned by this object from the mapping to the unmapping.
  let base: UnsafeMutableRawPointer
  private let byteCount: Int
  private let slotStride: Int

  /// Maps the file, which the first of the two processes creates.
  init(path: String, slotCount: Int = 0, slotByteCount: Int = 0, creates: Bool) throws {
    slotStride = (slotByteCount + 4095) / 4096 * 4096
    byteCount = 4096 + slotCount * slotStride
    let file = try System.open(path, creates ? System.createNew : System.readWrite)
    if creates { try System.reserve(byteCount, in: file) }
    // UNSAFE: this object owns the range just mapped.
    unsafe base = try System.map(file, byteCount: byteCount, writable: true)
    unsafe System.populate(base, byteCount: byteCount, forWriting: true)
  }

  deinit {
    // UNSAFE: exactly the range that was mapped.
    unsafe System.unmap(base, byteCount: byteCount)
  }

  func word(_ word: Word) -> UnsafeMutablePointer<UInt64> {
    // UNSAFE: within the first page, which has nothing but such words.
    unsafe (base + word.rawValue).assumingMemoryBound(to: UInt64.self)
  }

  @inline(__always)
  func slot(_ index: Int) -> UnsafeMutableRawPointer { unsafe base + 4096 + index * slotStride }
}
