import CBenchmark
import CPlatform
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import Synchronization
import ToolSupport

extension Job {
  /// Sends or receives frames from `start` on.
  ///
  /// Returns a time for each received frame: its age at its reception, or the duration of the poll that returned it.
  typealias End = (_ start: MonotonicTime) throws -> [Duration]

  /// Opens the transport.
  func makeEnd() throws -> End {
    switch (transport, role) {
    case (.cacheLine, _): try cacheLine()
    case (.bare, .sender): try bareSender()
    case (.bare, .receiver): try bareReceiver()
    case (.ring, .sender), (.app, .sender): try ringSender()
    case (.ring, .receiver): polling == .timer ? try timedReceiver() : try ringReceiver()
    case (.app, .receiver): try appReceiver()
    }
  }

  // MARK: Pace

  /// Returns the times of the frames, or of the polls between them.
  private func times(from first: MonotonicTime) -> some Sequence<MonotonicTime> {
    (0..<Int(duration / interval)).lazy.map { first + interval * $0 }
  }

  private func sender(_ send: @escaping () throws -> Void, finish: @escaping () throws -> Void) -> End {
    { start in
      let clock = SystemClock()
      for due in times(from: start + interval) {
        if polling == .between { while clock.now < due {} } else { clock.wait(until: due) }
        try send()
      }
      try finish()
      return []
    }
  }

  /// - Parameters:
  ///   - wait: sleeps until there may be a new frame, for at most a second.
  ///   - hasEnded: whether no frame will follow.
  ///   - poll: returns the time since the publication of a new frame; `nil` if there is none.
  private func receiver(
    wait: @escaping (_ limit: MonotonicTime) -> Void, hasEnded: @escaping () -> Bool,
    poll: @escaping () throws -> Duration?
  ) -> End {
    { start in
      var ages: [Duration] = []
      ages.reserveCapacity(1 << 16)
      if polling == .between { return try timePolls(from: start, poll) }
      while true {
        if let age = try poll() {
          ages.append(age)
        } else if hasEnded() {
          return ages
        } else {
          wait(SystemClock().now + .seconds(1))
        }
      }
    }
  }

  /// Measures polls halfway between two frames.
  private func timePolls(from start: MonotonicTime, _ poll: () throws -> Duration?) throws -> [Duration] {
    let clock = SystemClock()
    // Measure the time of two clock readings, to subtract it from the time of a poll.
    let readings = clock.measure { for _ in 0..<1000 { benchmark_keep(clock.now.nanoseconds) } }
    return try times(from: start + interval * 1.5).compactMap { due in
      while clock.now < due {}
      let before = clock.now
      let age = try poll()
      let time = clock.now - before
      return age == nil ? nil : max(.nanoseconds(1), time - readings / 500)
    }
  }

  // MARK: Without a ring

  /// Returns the sender of a word that counts frames, on which the other process may sleep.
  private func bareSender() throws -> End {
    let words = try BareMapping(path: file(), creates: true)
    var number: UInt64 = 0
    func send() {
      number += 1
      words.store(SystemClock().now.nanoseconds, in: .time)
      words.store(number, in: .newest)
      // UNSAFE: a word of the mapping.
      unsafe shared_wake(words.word(.newest))
    }
    return sender(send) {
      words.store(1, in: .ended)
      send()
    }
  }

  private func bareReceiver() throws -> End {
    let words = try BareMapping(path: file(), creates: false)
    var last: UInt64 = 0
    return receiver(
      wait: { limit in
        // UNSAFE: a word of the mapping.
        unsafe shared_wait(words.word(.newest), UInt32(truncatingIfNeeded: last), limit.nanoseconds)
      }, hasEnded: { words.load(.ended) != 0 }
    ) {
      let number = words.load(.newest)
      guard number != last, words.load(.ended) == 0 else { return nil }
      let received = SystemClock().now
      last = number
      // Without synchronization, the time may already belong to the next frame.
      return max(.zero, received - MonotonicTime(nanoseconds: words.load(.time)))
    }
  }

  /// Returns either end of two words that the processes write in turn. The receiver reports the time of one crossing.
  private func cacheLine() throws -> End {
    let words = try BareMapping(path: file(), creates: role == .sender)
    let roundTrips: UInt64 = 100
    return { start in
      let clock = SystemClock()
      var times: [Duration] = []
      var number: UInt64 = 0
      while words.load(.ended) == 0 {
        if role == .sender {
          let newest = words.load(.newest)
          if newest != number { words.store(newest, in: .answer) }
          number = newest
          continue
        }
        let time = clock.measure {
          for _ in 0..<roundTrips {
            number += 1
            words.store(number, in: .newest)
            while words.load(.answer) != number {}
          }
        }
        times.append(time / (2 * roundTrips))
        if clock.now >= start + duration { words.store(1, in: .ended) }
      }
      return times
    }
  }

  // MARK: The ring

  /// Returns the writer of the frame ring, which fills the slots as the job requires.
  private func ringSender() throws -> End {
    // Hold the lock of an extension, which the app's classes check.
    let lock = try ProcessLock(path: container().producerLockFile)
    var frames = ProofFrames()
    let frame = hasPixels ? try frames.frame(size) : nil
    let byteCount = PixelBufferSerializer.serializedSize(width: size.width, height: size.height)
    let ring = try FrameRingWriter(
      path: file(), slotCount: Context.slotCount, payloadCapacity: byteCount)
    let send = {
      guard let frame else { return try ring.publish(byteCount: byteCount) { _ in } }
      let header = try PixelBufferSerializer.Header(of: frame)
      try ring.publish(byteCount: header.byteCount) { header.write(frame, into: &$0) }
    }
    return sender(send) {
      try ring.finish()
      extendLifetime(lock)
    }
  }

  private func ringReceiver() throws -> End {
    let reader = try RingPoll(self)
    return receiver(
      wait: { reader.ring.wait(until: $0) }, hasEnded: { reader.ring.state == .finished }, poll: reader.poll)
  }

  /// Returns a reader of the frame ring that polls at the ticks of a timer, as the app's classes do.
  private func timedReceiver() throws -> End {
    let reader = Mutex(try RingPoll(self))
    let ages = ReceivedAges()
    return { start in
      let queue = DispatchQueue(label: "ticks")
      let timer = DispatchTimer(queue: queue)
      timer.start(every: BroadcastBufferContext.pollInterval) {
        ages.add(Result { try reader.withLock { try $0.poll() } })
      }
      SystemClock().wait(until: start + duration)
      timer.cancel()
      // The last tick may still be running.
      queue.sync {}
      return try ages.get()
    }
  }

  /// Returns the app's classes as the receiving end of the ring.
  private func appReceiver() throws -> End {
    let (container, ages) = (try container(), ReceivedAges())
    let timer: any RepeatingTimer =
      polling == .waiting
      ? BroadcastFrameSignal(container: container) : DispatchTimer(queue: DispatchQueue(label: "frames"))
    let context = BroadcastBufferContext(
      container: container, framePollTimer: timer, isWoken: polling == .waiting)
    context.subscribe(ages)
    // Like the ring's reader, open the ring before the measured time.
    context.poll()
    return { start in
      SystemClock().wait(until: start + duration)
      context.unsubscribe()
      return try ages.get()
    }
  }
}

/// Polls the frame ring.
private final class RingPoll {
  let ring: FrameRingReader
  private let hasPixels: Bool
  private var serializer = PixelBufferSerializer()

  init(_ job: Job) throws {
    ring = try FrameRingReader(path: job.file())
    hasPixels = job.hasPixels
  }

  func poll() throws -> Duration? {
    let frame = try ring.next { stamp, payload in
      (age: SystemClock().now - stamp.publishTime, copy: hasPixels ? serializer.result(of: payload) : nil)
    }
    _ = try frame?.copy?.get()
    return frame?.age
  }
}

/// Collects the ages of frames that arrive on other threads, or the first failure.
private final class ReceivedAges: BroadcastBufferContextSubscriber {
  private let result = Mutex(Result<[Duration], any Error>.success([]))

  func add(_ age: Result<Duration?, any Error>) {
    result.withLock { result in
      result = result.flatMap { ages in age.map { ages + ($0.map { [$0] } ?? []) } }
    }
  }

  func onFrame(_ frame: BroadcastFrame) { add(.success(SystemClock().now - frame.publishTime)) }

  func onFailure(_ failure: BroadcastBufferContext.Failure) { add(.failure(failure)) }

  func get() throws -> [Duration] { try result.withLock { try $0.get() } }
}
