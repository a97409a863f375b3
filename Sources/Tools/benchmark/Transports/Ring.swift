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
  private let lock: ProcessLock?

  init(_ job: Job) throws {
    byteCount = job.frameByteCount
    lock = job.transport.hasContainer ? try ProcessLock(path: job.container().producerLockFile) : nil
    picture = job.hasPixels ? try Picture(job.size) : nil
    ring = try FrameRingWriter(
      path: job.transport.hasContainer ? job.container().framesFile : job.path, slotCount: Context.slotCount,
      payloadCapacity: byteCount)
  }

  func send() throws {
    guard let picture else { return try ring.publish(byteCount: byteCount) { _ in } }
    try ring.publish(byteCount: byteCount, picture.serialize(into:))
  }

  func finish() throws { try ring.finish() }
}

/// Calls `step` at the ticks of a dispatch timer. Returns the times that it returned.
private func runTimer(
  every interval: Duration, until end: MonotonicTime, _ step: @escaping @Sendable () throws -> Duration?
) throws -> [Duration] {
  let queue = DispatchQueue(label: "ticks")
  let timer = DispatchTimer(queue: queue)
  let result = Mutex((times: [Duration](), failure: (any Error)?.none))
  timer.start(every: interval) {
    do {
      if let time = try step() { result.withLock { $0.times.append(time) } }
    } catch {
      result.withLock { $0.failure = $0.failure ?? error }
    }
  }
  SystemClock().wait(until: end)
  timer.cancel()
  // The last tick may still run.
  queue.sync {}
  let (times, failure) = result.withLock { $0 }
  if let failure { throw failure }
  return times
}

/// A reader of the frame ring.
final class RingReceiver: PolledReceiver {
  private let ring: FrameRingReader
  private let hasPixels: Bool
  private var serializer = PixelBufferSerializer()

  init(_ job: Job) throws {
    ring = try FrameRingReader(path: job.path)
    hasPixels = job.hasPixels
  }

  func waitForFrame() { ring.wait(until: SystemClock().now + .seconds(1)) }

  func poll() throws -> Poll {
    let age = try ring.next { stamp, payload throws(PixelBufferSerializer.Failure) in
      let received = SystemClock().now
      if hasPixels { Keep.object(try serializer.deserialize(payload)) }
      return received - stamp.publishTime
    }
    if let age { return .frame(age: age) }
    return ring.state == .finished ? .ended : .nothingNew
  }
}

/// A reader of the frame ring that polls at the ticks of a timer, as the app's classes do.
final class TimedReceiver: TransportEnd, Sendable {
  private let receiver: Mutex<RingReceiver>

  init(_ job: Job) throws { receiver = Mutex(try RingReceiver(job)) }

  func run(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) throws {
    guard case .timer(let interval) = job.polling else { throw Failure("a timer needs an interval") }
    try runTimer(every: interval, until: start + job.duration) { [self] in
      guard case .frame(let age) = try receiver.withLock({ try $0.poll() }) else { return nil }
      return age
    }.forEach(report)
  }
}

/// The app's classes as the receiving end of the ring.
final class AppReceiver: TransportEnd {
  private let context: BroadcastBufferContext
  private let subscriber = Subscriber()
  private let timer: any RepeatingTimer

  init(_ job: Job) throws {
    guard case .app(let mode) = job.polling else { throw Failure("an app polls in its own way") }
    let container = try job.container()
    timer =
      switch mode {
      case .poll: DispatchTimer(queue: DispatchQueue(label: "frames"))
      case .wake: BroadcastFrameSignal(container: container)
      }
    context = BroadcastBufferContext(
      container: container, framePollTimer: timer, isWoken: mode == .wake)
    context.subscribe(subscriber)
    // As the ring's reader, it opens the ring before the time that is measured.
    context.poll()
  }

  func run(_ job: Job, from start: MonotonicTime, _ report: (Duration) -> Void) throws {
    let end = SystemClock().now + job.duration
    SystemClock().wait(until: end)
    context.unsubscribe()
    let (ages, failure) = subscriber.state.withLock { ($0.ages, $0.failure) }
    if let failure { throw Failure("\(failure)") }
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

extension Job {
  var frameByteCount: Int { PixelBufferSerializer.serializedSize(width: width, height: height) }

  /// The app group's container of the pair, for the app's own classes.
  fileprivate func container() throws -> AppGroupContainer {
    let container = try AppGroupContainer(root: path, group: "group.benchmark")
    try container.prepare()
    return container
  }
}
