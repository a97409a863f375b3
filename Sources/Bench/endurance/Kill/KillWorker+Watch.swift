import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import Synchronization
import ToolSupport

extension KillWorker {
  /// Watches as an app does: polls status, crashes and frames at full speed.
  func watch(_ container: AppGroupContainer, for parent: ParentProcess<Report>) throws {
    let status = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: StepTimer())
    let detector = BroadcastCrashDetector(container: container, status: status, timer: StepTimer())
    let frames = BroadcastBufferContext(container: container, framePollTimer: StepTimer())
    let observer = Observer(parent: parent, frames: frames, killed: killed)
    status.subscribe(observer)
    detector.subscribe(observer)
    frames.subscribe(observer)
    parent.reportReady()
    while parent.wantsMore {
      status.poll()
      observer.beginCrashPoll()
      detector.poll()
      // Poll frames only while the flag is on, as the app does: a process that is killed between the end of its broadcast
      // and the removal of its ring has cleared the flag.
      if status.lastStatus { frames.poll() }
    }
    let repeated = frames.statistics.framesRepeated
    try expect(repeated == 0, "\(repeated) frames were repeated")
  }
}

/// Subscribes to the app's classes, and checks their reports.
private final class Observer: BroadcastStatusSubscriber, BroadcastCrashSubscriber,
  BroadcastBufferContextSubscriber
{
  private let parent: ParentProcess<KillWorker.Report>
  private let frames: BroadcastBufferContext
  private let state: Mutex<State>

  init(parent: ParentProcess<KillWorker.Report>, frames: BroadcastBufferContext, killed: [Int32]) {
    self.parent = parent
    self.frames = frames
    let now = SystemClock().now
    state = Mutex(State(killed: Dictionary(uniqueKeysWithValues: killed.map { ($0, now) })))
  }

  func beginCrashPoll() { state.withLock { $0.polls = (SystemClock().now, $0.polls.newest) } }

  func onChange(status: Bool) {}

  func onFailure(_ failure: FileError) { fail("the status cannot be read: \(failure)") }

  func onFailure(_ failure: BroadcastBufferContext.Failure) { fail("the frames cannot be read: \(failure)") }

  func onCrash(pid: Int32) {
    let before = state.withLock { state in
      state.killed[pid] = SystemClock().now
      return state.polls.before
    }
    parent.report(.crash(pid: pid, before: before.nanoseconds))
  }

  func onFrame(_ frame: BroadcastFrame) {
    if let fault = ProofFrames.fault(in: frame.pixelBuffer, number: frame.id.number) {
      fail("delivered as \(fault)")
    }
    guard let session = frames.session, session.id == frame.id.session else {
      return fail("a frame of a session other than the current one was delivered")
    }
    let (fault, isOfAnother) = state.withLock { state in
      defer { state.lastProcess = session.processID }
      return (state.fault(of: frame.id, in: session), state.lastProcess != session.processID)
    }
    if let fault { fail("frame \(frame.id.number) was delivered after \(fault)") }
    if isOfAnother { parent.report(.frame(from: session.processID)) }
  }

  private func fail(_ failure: String) { parent.fail(failure) }

  private struct State {
    /// The starts of the current crash poll and of the previous one.
    var polls = (newest: MonotonicTime.zero, before: MonotonicTime.zero)
    /// Extensions that have crashed, with the time of the detection.
    var killed: [Int32: MonotonicTime]
    var last: (id: BroadcastFrame.ID, sessionStart: MonotonicTime)?
    var lastProcess: Int32 = 0

    init(killed: [Int32: MonotonicTime]) { self.killed = killed }

    /// Returns the reason why a frame must not be delivered now; `nil` for a correct delivery, which is recorded.
    mutating func fault(of id: BroadcastFrame.ID, in session: BroadcastSession) -> String? {
      defer { last = (id, session.startTime) }
      // A session that ended normally may be delivered late, even if its process was killed in a later session.
      if let death = killed[session.processID], session.startTime < death, session.state != .finished {
        return "the kill of process \(session.processID)"
      }
      guard let (last, start) = last else { return nil }
      if last.session == id.session { return last.number < id.number ? nil : "frame \(last.number)" }
      return start < session.startTime ? nil : "a frame of a later session"
    }
  }
}
