import CoreMedia
import Dispatch
import Foundation
import Platform
import ReplayKit
import SharedMemory
import Synchronization

/// Calls a handler as ReplayKit does: one call at a time and in order, on a queue of its own, with few samples waiting.
///
/// The screen goes on while the handler works. Samples wait until it returns, five pictures and five of sound at the
/// most; what comes then is dropped and counted.
final class SampleDelivery: @unchecked Sendable {
  // Why unchecked: the framework's handler is not Sendable. Its methods are called on the queue alone; the rest is in
  // `state`.

  /// What waits together: pictures, or sound of both kinds.
  enum Medium: CaseIterable {
    case video, audio

    init(_ type: RPSampleBufferType) { self = type == .video ? .video : .audio }
  }

  /// The most samples of a medium that wait, besides the one the handler has.
  static let capacity = 5

  /// What became of the samples of a medium.
  struct Counts {
    /// Handed to the handler.
    var delivered: UInt64 = 0
    /// Left out, because too many waited.
    var dropped: UInt64 = 0
    fileprivate var waiting = 0
  }

  private let handler: RPBroadcastSampleHandler
  private let queue: DispatchQueue
  private let state = Mutex(State())

  private struct State {
    var counts: [Medium: Counts] = [:]
    /// How much longer than it needs every call of the handler takes.
    var delay = Duration.zero
    /// Whether the first call has begun.
    var hasBegun = false
    /// What the handler has ended the broadcast with: it is not called any more.
    var error: NSError?
  }

  init(
    handler: RPBroadcastSampleHandler,
    queue: DispatchQueue = DispatchQueue(label: "broadcast.delivery", qos: .userInteractive)
  ) {
    self.handler = handler
    self.queue = queue
  }

  /// How much longer than it needs every call of the handler takes.
  var delay: Duration {
    get { state.withLock { $0.delay } }
    set { state.withLock { $0.delay = newValue } }
  }

  /// Whether the handler has been called at all.
  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// What the handler has ended the broadcast with, once it has.
  var error: NSError? { state.withLock { $0.error } }

  /// What became of the samples of `medium`.
  func counts(_ medium: Medium) -> Counts { state.withLock { $0.counts[medium, default: Counts()] } }

  /// Has the handler called after everything that was handed in before, unless it has ended the broadcast by then, and
  /// `completion` after that.
  func call(
    _ call: @escaping @Sendable (RPBroadcastSampleHandler) -> Void,
    completion: @escaping @Sendable () -> Void = {}
  ) {
    queue.async { [self] in
      let isOver = state.withLock { state in
        state.hasBegun = true
        return state.error != nil
      }
      if !isOver {
        call(handler)
        wait()
      }
      completion()
    }
  }

  /// Has `completion` called after everything that was handed in before.
  func drain(completion: @escaping @Sendable () -> Void) { queue.async(execute: completion) }

  /// Has the handler process a picture, unless too many wait; whether it will.
  func offer(_ sample: ScreenSample) -> Bool {
    offer(.video) { [self] in sample.lend { handler.processSampleBuffer($0, with: .video) } }
  }

  /// Has the handler process sound, unless too much waits; whether it will.
  func offer(_ sample: CMSampleBuffer, _ type: RPSampleBufferType) -> Bool {
    offer(Medium(type)) { [self] in handler.processSampleBuffer(sample, with: type) }
  }

  /// Leaves out the samples and calls that wait: the handler has ended the broadcast, which it can do once.
  func close(with error: NSError) { state.withLock { $0.error = $0.error ?? error } }

  private func offer(_ medium: Medium, _ deliver: @escaping () -> Void) -> Bool {
    let isTaken = state.withLock { state in
      var counts = state.counts[medium, default: Counts()]
      defer { state.counts[medium] = counts }
      guard counts.waiting < Self.capacity else {
        counts.dropped += 1
        return false
      }
      counts.waiting += 1
      return true
    }
    guard isTaken else { return false }
    // Only this queue runs it, once.
    nonisolated(unsafe) let deliver = deliver
    queue.async { [self] in
      let isClosed = state.withLock { state in
        state.counts[medium]?.waiting -= 1
        if state.error == nil { state.counts[medium]?.delivered += 1 }
        return state.error != nil
      }
      guard !isClosed else { return }
      unsafe deliver()
      wait()
    }
    return true
  }

  private func wait() {
    let delay = delay
    if delay > .zero { SystemClock().wait(until: SystemClock().now + delay) }
  }
}
