import CBenchmark
import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import Synchronization

extension Job {
  /// The app group's container of the pair, for the app's own classes.
  func container() throws -> AppGroupContainer {
    let container = try AppGroupContainer(root: path, group: "group.benchmark")
    try container.prepare()
    return container
  }
}

/// The receiving end with the app's classes.
final class AppReceiver: WaitingReceiver {
  private let job: Job
  private let context: BroadcastBufferContext
  private let subscriber = Subscriber()

  init(_ job: Job) throws {
    guard case .app(let mode) = job.polling else { throw Failure("an app polls in its own way") }
    let container = try job.container()
    let timer: any RepeatingTimer =
      switch mode {
      case .poll: DispatchTimer(queue: DispatchQueue(label: "frames"))
      case .wake, .wakeLeased: BroadcastFrameSignal(container: container, mode: .wake)
      case .early: BroadcastFrameSignal(container: container, mode: .early)
      }
    context = BroadcastBufferContext(
      container: container, framePollTimer: timer, leases: mode == .wakeLeased)
    self.job = job
  }

  func receive(_ onFrame: (UInt64) -> Void) throws {
    let end = SystemClock().now.nanoseconds + job.duration
    context.subscribe(subscriber)
    benchmark_sleep_until(end)
    context.unsubscribe()
    let (ages, failure) = subscriber.state.withLock { ($0.ages, $0.failure) }
    if let failure { throw Failure(failure) }
    for age in ages { onFrame(age) }
  }

  /// Records the age of each frame at its delivery.
  private final class Subscriber: BroadcastBufferContextSubscriber {
    struct State {
      var ages: [UInt64] = []
      var failure: String?
    }
    let state = Mutex(State())

    func onFrame(_ frame: BroadcastFrame) {
      let age = SystemClock().now.nanoseconds - frame.publishTime.nanoseconds
      state.withLock { $0.ages.append(age) }
    }

    func onFailure(_ failure: BroadcastBufferContext.Failure) {
      state.withLock { $0.failure = "\(failure)" }
    }
  }
}
