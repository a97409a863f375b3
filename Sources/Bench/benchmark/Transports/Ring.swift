import CommandLineSupport
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import Synchronization

/// The writer of the frame ring, which fills the slot as the job requires.
final class RingSender: FrameSender {
  private let ring: FrameRingWriter
  private let picture: Picture?
  private let byteCount: Int
  /// The lock of an extension, which the app's classes check.
  private let lock: ProcessLock

  init(_ job: Job) throws {
    byteCount = PixelBufferSerializer.serializedSize(width: job.size.width, height: job.size.height)
    lock = try ProcessLock(path: job.container().producerLockFile)
    picture = job.hasPixels ? try Picture(job.size) : nil
    ring = try FrameRingWriter(
      path: job.file(), slotCount: Context.slotCount, payloadCapacity: byteCount)
  }

  func send() throws {
    guard let picture else { return try ring.publish(byteCount: byteCount) { _ in } }
    try picture.publish(to: ring)
  }

  func finish() throws { try ring.finish() }
}

final class RingReceiver: PolledReceiver {
  private let ring: FrameRingReader
  private let hasPixels: Bool
  private var serializer = PixelBufferSerializer()

  init(_ job: Job) throws {
    ring = try FrameRingReader(path: job.file())
    hasPixels = job.hasPixels
  }

  func waitForFrame() { ring.wait(until: SystemClock().now + .seconds(1)) }

  var hasEnded: Bool { ring.state == .finished }

  func poll() throws -> Duration? {
    let frame = try ring.next { stamp, payload in
      (age: SystemClock().now - stamp.publishTime, copy: hasPixels ? serializer.result(of: payload) : nil)
    }
    _ = try frame?.copy?.get()
    return frame?.age
  }
}

/// A reader of the frame ring that polls at the ticks of a timer, as the app's classes do.
final class TimedReceiver: TransportEnd, Sendable {
  private let state: Mutex<(receiver: RingReceiver, ages: [Duration], failure: (any Error)?)>

  init(_ job: Job) throws { state = Mutex((try RingReceiver(job), [], nil)) }

  func run(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) throws {
    let queue = DispatchQueue(label: "ticks")
    let timer = DispatchTimer(queue: queue)
    timer.start(every: BroadcastBufferContext.pollInterval) { [self] in
      state.withLock { state in
        do {
          if let age = try state.receiver.poll() { state.ages.append(age) }
        } catch {
          state.failure = state.failure ?? error
        }
      }
    }
    SystemClock().wait(until: start + job.duration)
    timer.cancel()
    // The last tick may still run.
    queue.sync {}
    let (ages, failure) = state.withLock { ($0.ages, $0.failure) }
    if let failure { throw failure }
    ages.forEach(report)
  }
}

/// The app's classes as the receiving end of the ring.
final class AppReceiver: TransportEnd {
  private let context: BroadcastBufferContext
  private let subscriber = Subscriber()

  init(_ job: Job) throws {
    let (container, isWoken) = (try job.container(), job.polling == .waiting)
    let timer: any RepeatingTimer =
      isWoken
      ? BroadcastFrameSignal(container: container) : DispatchTimer(queue: DispatchQueue(label: "frames"))
    context = BroadcastBufferContext(container: container, framePollTimer: timer, isWoken: isWoken)
    context.subscribe(subscriber)
    // As the ring's reader, it opens the ring before the time that is measured.
    context.poll()
  }

  func run(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) throws {
    SystemClock().wait(until: SystemClock().now + job.duration)
    context.unsubscribe()
    let (ages, failure) = subscriber.state.withLock { ($0.ages, $0.failure) }
    if let failure { throw failure }
    ages.forEach(report)
  }

  /// Records the age of each frame at its delivery.
  private final class Subscriber: BroadcastBufferContextSubscriber {
    let state = Mutex((ages: [Duration](), failure: BroadcastBufferContext.Failure?.none))

    func onFrame(_ frame: BroadcastFrame) {
      let age = SystemClock().now - frame.publishTime
      state.withLock { $0.ages.append(age) }
    }

    func onFailure(_ failure: BroadcastBufferContext.Failure) { state.withLock { $0.failure = failure } }
  }
}
