import CoreMedia
import Dispatch
import Platform
import ReplayKitCore
import RunReports
import Synchronization

/// The maximum number of samples of a medium that wait, in addition to the sample being processed.
let waitingSampleLimit = 5

/// Calls the handler of an extension, or the recorder of an app, as ReplayKit does: one call at a time, in order, on a
/// private queue.
///
/// The screen does not wait for the receiver. At most five video and five audio samples wait; further samples are dropped
/// and counted.
package final class SampleDelivery<Receiver: AnyObject & SendableMetatype>: @unchecked Sendable {
  // Why unchecked: the receiver is not Sendable. Only the queue calls it; `state` guards everything else.

  /// A group of samples that share a limit: video, or both kinds of audio.
  package enum Medium { case video, audio }

  /// The number of samples of a medium.
  package struct Counts {
    package var delivered: UInt64 = 0
    /// The samples that were dropped because too many waited.
    package var dropped: UInt64 = 0
    fileprivate var waiting = 0
  }

  private let receiver: Receiver
  private let receive: (Receiver, CMSampleBuffer, RPSampleBufferType) -> Void
  private let time: DeviceTime
  /// Counts the samples that the receiver holds after a call; `nil` for a receiver that may hold samples.
  private let held: HeldSampleCounter?
  private let queue: DispatchQueue
  private let firstCall = DispatchGroup()
  private let state = Mutex(State())

  private struct State {
    var counts: [Medium: Counts] = [:]
    var delay = Duration.zero
    var videoTimes = DelayHistogram()
    var videoTime = Duration.zero
    var longestCall = Duration.zero
    var hasCalls = false
    var ending: BroadcastEnding?
    /// The time after which waiting samples are dropped; `nil` if all are delivered.
    var lastDelivery: MonotonicTime?
    /// The calls that have not returned, in their order.
    var openCalls: [OpenCall] = []
    var lastCall: UInt64 = 0
    /// The number of functions on the queue, including the one that runs.
    var pending = 0
    /// When the next function became ready to run; `nil` while one runs, or if none waits.
    var readyTime: MonotonicTime?
    /// The total of earlier waits, and of the run-queue delays within calls.
    var machineDelay = Duration.zero
  }

  package init(
    to receiver: Receiver, label: String = "broadcast.delivery", on queue: DispatchQueue? = nil,
    time: DeviceTime, held: HeldSampleCounter? = nil,
    _ receive: @escaping (Receiver, CMSampleBuffer, RPSampleBufferType) -> Void
  ) {
    self.receiver = receiver
    self.receive = receive
    self.time = time
    self.held = held
    self.queue = queue ?? DispatchQueue(label: label, qos: .userInteractive)
  }

  /// An additional delay of every call.
  var delay: Duration {
    get { state.withLock { $0.delay } }
    set { state.withLock { $0.delay = newValue } }
  }

  /// The durations of the receiver's calls with a frame. They include ``delay`` but not waits for a CPU, so host load does
  /// not change them.
  package var videoTimes: DelayHistogram { state.withLock { $0.videoTimes } }

  /// The duration of the longest call with a sample of any kind, measured like ``videoTimes``.
  var longestCall: Duration { state.withLock { $0.longestCall } }

  /// The total of ``videoTimes``.
  var videoTime: Duration { state.withLock { $0.videoTime } }

  /// The reason why the delivery ended; `nil` while it runs.
  var ending: BroadcastEnding? { state.withLock { $0.ending } }

  package func counts(_ medium: Medium) -> Counts { state.withLock { $0.counts[medium, default: Counts()] } }

  /// How long host load has delayed the receiver: its waits for a thread, and for a CPU within its calls. The delay within
  /// a call counts once the call returns.
  func machineDelay(at now: MonotonicTime) -> Duration {
    state.withLock { $0.machineDelay + ($0.readyTime.map { max(.zero, now - $0) } ?? .zero) }
  }

  /// Whether the receiver is waiting for a thread.
  var isWaitingForThread: Bool { state.withLock { $0.readyTime != nil } }

  /// The oldest call that has not returned.
  var openCall: OpenCall? { state.withLock { $0.openCalls.first } }

  /// Returns the number of further samples of a medium that can wait.
  package func room(for medium: Medium) -> Int { waitingSampleLimit - counts(medium).waiting }

  /// Whether a further sample of a medium would be dropped.
  func isFull(_ medium: Medium) -> Bool { room(for: medium) == 0 }

  /// Calls the receiver on the queue, after everything offered before. The call is skipped if the delivery has ended by
  /// then, but `completion` is always called.
  ///
  /// - Parameter name: the receiver's method; `nil` for an internal call of the emulator.
  package func call(
    _ name: String? = nil, _ body: @escaping @Sendable (Receiver) -> Void,
    completion: @escaping @Sendable () -> Void = {}
  ) {
    let isFirst = state.withLock { state in
      defer { state.hasCalls = true }
      return !state.hasCalls
    }
    if isFirst { firstCall.enter() }
    enqueue { [self] in
      let isDue = ending == nil
      // Leave after the check, because the work that waits for the first call may end the delivery.
      if isFirst { firstCall.leave() }
      if isDue {
        noteCall(name) {
          body(receiver)
          waitForDelay()
        }
      }
      completion()
      return nil
    }
  }

  /// Calls the receiver concurrently on another thread, once the first call has begun.
  func callConcurrently(_ name: String, _ body: @escaping @Sendable (Receiver) -> Void) {
    time.enqueue(.global(), firstCall) { [self] in noteCall(name) { body(receiver) } }
  }

  /// Runs a call and keeps it in the list of open calls until it returns.
  private func noteCall(_ name: String?, _ body: () -> Void) {
    guard let name else { return body() }
    let thread = CallStack.currentThread
    let id = state.withLock { state in
      state.lastCall += 1
      state.openCalls.append(OpenCall(id: state.lastCall, name: name, thread: thread, delay: state.delay))
      return state.lastCall
    }
    body()
    state.withLock { $0.openCalls.removeAll { $0.id == id } }
  }

  /// Ends the delivery: drops waiting samples and calls. The first ending is kept.
  package func end(with ending: BroadcastEnding) { state.withLock { $0.ending = $0.ending ?? ending } }

  /// Drops the samples that still wait at `time`, but no calls.
  func dropSamples(waitingAt time: MonotonicTime) { state.withLock { $0.lastDelivery = time } }

  /// Delivers a sample whose pixels are in `memory`, unless too many wait. Returns whether it will be delivered.
  package func offer(_ sample: CMSampleBuffer, _ type: RPSampleBufferType, memory: ScreenMemory? = nil)
    -> Bool
  {
    let medium = type == .video ? Medium.video : .audio
    let isTaken = change(medium) { counts, _ in
      let isTaken = counts.waiting < waitingSampleLimit
      if isTaken { counts.waiting += 1 } else { counts.dropped += 1 }
      return isTaken
    }
    guard isTaken else { return false }
    enqueue { [self] in
      let isDelivered = change(medium) { counts, hasEnded in
        counts.waiting -= 1
        if !hasEnded { counts.delivered += 1 }
        return !hasEnded
      }
      guard isDelivered else { return nil }
      let begin = time.clock.now
      if let held {
        held.watch { deliver(sample.handed(to: $0), type, memory) }
      } else {
        deliver(sample, type, memory)
      }
      return (medium, time.clock.now - begin)
    }
    return true
  }

  /// Runs `body` on the queue, and measures how long host load delays it. `body` returns the duration of a call with a
  /// sample.
  private func enqueue(_ body: @escaping @Sendable () -> (Medium, Duration)?) {
    let clock = time.clock
    let now = clock.now
    state.withLock { state in
      state.pending += 1
      if state.pending == 1 { state.readyTime = now }
    }
    time.enqueue(queue, nil) { [self] in
      let begin = clock.now
      state.withLock { state in
        state.machineDelay += max(.zero, begin - (state.readyTime ?? begin))
        state.readyTime = nil
      }
      let earlierDelay = time.processorDelay()
      let duration = body()
      let delay = time.processorDelay() - earlierDelay
      let end = clock.now
      state.withLock { state in
        if let (medium, time) = duration {
          let own = max(.zero, time - delay)
          state.longestCall = max(state.longestCall, own)
          if medium == .video {
            state.videoTimes.add(own)
            state.videoTime += own
          }
        }
        state.machineDelay += delay
        state.pending -= 1
        state.readyTime = state.pending > 0 ? end : nil
      }
    }
  }

  private func deliver(_ sample: CMSampleBuffer, _ type: RPSampleBufferType, _ memory: ScreenMemory?) {
    let name =
      switch type {
      case .video: "processSampleBuffer(video)"
      case .audioApp: "processSampleBuffer(audioApp)"
      default: "processSampleBuffer(audioMic)"
      }
    memory?.willDeliver()
    noteCall(name) {
      receive(receiver, sample, type)
      memory?.didDeliver()
      waitForDelay()
    }
  }

  private func change(_ medium: Medium, _ body: (inout Counts, _ hasEnded: Bool) -> Bool) -> Bool {
    let now = time.clock.now
    return state.withLock { state in
      let hasEnded = state.ending != nil || state.lastDelivery.map { now > $0 } ?? false
      return body(&state.counts[medium, default: Counts()], hasEnded)
    }
  }

  private func waitForDelay() {
    let delay = delay
    if delay > .zero { time.clock.wait(until: time.clock.now + delay) }
  }
}
