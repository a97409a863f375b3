import CBenchmark
import CoreVideo
import Platform
import ScreenBroadcast
import SharedMemory

/// The words of a bare mapping, each on a cache line of its own.
enum BareWord {
  static let newest = 0
  static let time = 128
  static let answer = 256
  static let over = 384
  static let byteCount = 4096
  /// The round trips of the word per frame.
  static let roundTrips = 100
}

/// A mapping with slots and a word that counts frames: the article's design, plain memcpy, a futex,
/// or nothing.
final class BareSender: FrameSender {
  private let job: Job
  private let picture: Picture?
  private let bytes: SharedBytes
  private let codec = ArticleCodec()
  private var number: UInt64 = 0

  init(_ job: Job, picture: Picture?) throws {
    self.job = job
    self.picture = picture
    bytes = try SharedBytes(path: job.path, count: job.bareByteCount, creates: true)
  }

  func send() {
    if job.transport == .cacheLine { return sendLine() }
    number += 1
    if let picture {
      let slot = Int(number) % job.bareSlotCount
      // UNSAFE: the slot has room for the picture's bytes.
      let place = unsafe bytes.base + BareWord.byteCount + slot * job.bareSlotStride
      if job.pixels == .pictures {
        unsafe codec.write(picture, to: place)
      } else {
        unsafe picture.copy(to: place)
      }
    }
    // UNSAFE: words of the first page.
    unsafe benchmark_store(bytes.base + BareWord.time, SystemClock().now.nanoseconds)
    unsafe benchmark_store(bytes.base + BareWord.newest, number)
    if job.transport == .futex { unsafe benchmark_futex_wake(bytes.base + BareWord.newest) }
  }

  /// Writes a word and waits for the answer, many times.
  private func sendLine() {
    for _ in 0..<BareWord.roundTrips {
      number += 1
      // UNSAFE: words of the first page.
      unsafe benchmark_store(bytes.base + BareWord.newest, number)
      while unsafe benchmark_load(bytes.base + BareWord.answer) != number {}
    }
  }

  func finish() throws {
    // UNSAFE: words of the first page.
    unsafe benchmark_store(bytes.base + BareWord.over, 1)
    unsafe benchmark_store(bytes.base + BareWord.newest, number + 1)
    unsafe benchmark_futex_wake(bytes.base + BareWord.newest)
  }
}

/// The receiving end of a bare mapping.
final class BareReceiver: PolledReceiver, WaitingReceiver {
  private let job: Job
  private let bytes: SharedBytes
  private let payloadByteCount: Int
  private var codec = ArticleCodec()
  private var last: UInt64 = 0

  init(_ job: Job) throws {
    self.job = job
    payloadByteCount = PixelBufferSerializer.serializedSize(width: job.width, height: job.height)
    bytes = try SharedBytes(path: job.path, count: job.bareByteCount, creates: false)
  }

  func look() throws -> Look {
    // UNSAFE: words of the first page; the slot has the picture's bytes.
    let number = unsafe benchmark_load(bytes.base + BareWord.newest)
    guard number != last else { return .nothing }
    if unsafe benchmark_load(bytes.base + BareWord.over) != 0 { return .over }
    let seen = SystemClock().now.nanoseconds
    let published = unsafe benchmark_load(bytes.base + BareWord.time)
    last = number
    let slot = unsafe bytes.base + BareWord.byteCount + Int(number) % job.bareSlotCount * job.bareSlotStride
    switch job.pixels {
    case .none: break
    case .bytes: Keep.value(unsafe benchmark_sum(slot, payloadByteCount))
    case .pictures: Keep.object(try unsafe codec.read(slot, count: payloadByteCount))
    }
    // Without synchronisation the time may already be that of the next frame.
    return .frame(age: seen > published ? seen - published : 0)
  }

  func receive(_ onFrame: (UInt64) -> Void) throws {
    if job.transport == .cacheLine { return answerLine() }
    while true {
      switch try look() {
      case .frame(let age): onFrame(age)
      // UNSAFE: a word of the first page.
      case .nothing:
        unsafe benchmark_futex_wait(bytes.base + BareWord.newest, UInt32(truncatingIfNeeded: last))
      case .over: return
      }
    }
  }

  private func answerLine() {
    // UNSAFE: words of the first page.
    while unsafe benchmark_load(bytes.base + BareWord.over) == 0 {
      let number = unsafe benchmark_load(bytes.base + BareWord.newest)
      if number != last { unsafe benchmark_store(bytes.base + BareWord.answer, number) }
      last = number
    }
  }
}

extension Job {
  fileprivate var bareSlotCount: Int { transport == .article ? 1 : Context.slotCount }

  fileprivate var bareSlotStride: Int {
    pixels == .none
      ? 0 : (PixelBufferSerializer.serializedSize(width: width, height: height) + 4095) / 4096 * 4096
  }

  fileprivate var bareByteCount: Int { BareWord.byteCount + bareSlotCount * bareSlotStride }
}
