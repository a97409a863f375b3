import CBenchmark
import Platform

/// Slots and a word that counts frames: the article's design with one slot, or plain memcpy, or a futex without pixels.
final class BareSender: FrameSender {
  private let job: Job
  private let picture: Picture?
  private let mapping: BareMapping
  private let codec = ArticleCodec()
  private var number: UInt64 = 0

  init(_ job: Job) throws {
    self.job = job
    picture = try job.makePicture()
    mapping = try BareMapping(job, creates: true)
  }

  func send() {
    number += 1
    if let picture {
      // UNSAFE: the slot has room for the picture's bytes.
      let slot = unsafe mapping.slot(Int(number) % job.bareSlotCount)
      if job.pixels == .pictures {
        unsafe codec.write(picture, to: slot)
      } else {
        unsafe picture.copy(to: slot)
      }
    }
    // UNSAFE: words of the mapping.
    unsafe benchmark_store(mapping.word(.time), SystemClock().now.nanoseconds)
    unsafe benchmark_store(mapping.word(.newest), number)
    if job.polling == .waiting { unsafe benchmark_futex_wake(mapping.word(.newest)) }
  }

  func finish() {
    // UNSAFE: words of the mapping.
    unsafe benchmark_store(mapping.word(.ended), 1)
    unsafe benchmark_store(mapping.word(.newest), number + 1)
    unsafe benchmark_futex_wake(mapping.word(.newest))
  }
}

final class BareReceiver: PolledReceiver {
  private let job: Job
  private let mapping: BareMapping
  private var codec = ArticleCodec()
  private var last: UInt64 = 0

  init(_ job: Job) throws {
    self.job = job
    mapping = try BareMapping(job, creates: false)
  }

  // UNSAFE: a word of the mapping.
  func waitForFrame() {
    unsafe benchmark_futex_wait(mapping.word(.newest), UInt32(truncatingIfNeeded: last))
  }

  func poll() throws -> Poll {
    // UNSAFE: words of the mapping; the slot has the picture's bytes.
    let number = unsafe benchmark_load(mapping.word(.newest))
    guard number != last else { return .nothingNew }
    if unsafe benchmark_load(mapping.word(.ended)) != 0 { return .ended }
    let received = SystemClock().now
    let published = MonotonicTime(nanoseconds: unsafe benchmark_load(mapping.word(.time)))
    last = number
    let slot = unsafe mapping.slot(Int(number) % job.bareSlotCount)
    switch job.pixels {
    case .none: break
    case .bytes: Keep.value(unsafe benchmark_sum(slot, job.frameByteCount))
    case .pictures: Keep.object(try unsafe codec.read(slot, count: job.frameByteCount))
    }
    // Without synchronisation the time may already be that of the next frame.
    return .frame(age: max(.zero, received - published))
  }
}

/// Either end of two words that the processes write in turn. The sender reports the time of one crossing.
final class CacheLineEnd: TransportEnd {
  /// The round trips of the word per report.
  private static let roundTrips = 100

  private let mapping: BareMapping
  private var number: UInt64 = 0

  init(_ job: Job) throws { mapping = try BareMapping(job, creates: job.role == .sender) }

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

extension Job {
  fileprivate var bareSlotCount: Int { transport == .article ? 1 : Context.slotCount }
}

extension BareMapping {
  fileprivate convenience init(_ job: Job, creates: Bool) throws {
    try self.init(
      path: job.path, slotCount: job.pixels == .none ? 0 : job.bareSlotCount,
      slotByteCount: job.frameByteCount,
      creates: creates)
  }
}
