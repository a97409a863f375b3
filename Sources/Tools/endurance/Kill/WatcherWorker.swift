import Foundation
import Platform
import ScreenBroadcast
import SharedMemory
import Synchronization
import TestPatterns

/// The worker that watches as an app does: it polls status, crashes and frames at full speed.
struct WatcherWorker: Codable, Sendable {
  /// The root of the container.
  var root: String
  var group: String
  /// Extensions that were killed before the launch of this worker.
  var killed: [Int32]

  func run(for parent: ParentProcess) throws {
    let container = try AppGroupContainer(root: root, group: group)
    let (statusTimer, crashTimer, frameTimer) = (StepTimer(), StepTimer(), StepTimer())
    let status = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: statusTimer)
    let detector = BroadcastCrashDetector(container: container, status: status, timer: crashTimer)
    let frames = BroadcastBufferContext(container: container, framePollTimer: frameTimer)
    let observer = Observer(parent: parent, frames: frames, killed: killed)
    status.subscribe(observer)
    detector.subscribe(observer)
    frames.subscribe(observer)
    parent.report(.ready)
    while parent.wantsMore {
      statusTimer.step()
      observer.beginCrashPoll()
      crashTimer.step()
      // As in the app: a process that is killed between the end of its broadcast and the removal of its ring has
      // cleared the flag.
      if status.lastStatus { frameTimer.step() }
    }
    if frames.statistics.framesRepeated > 0 {
      parent.report(.broken("\(frames.statistics.framesRepeated) frames were repeated"))
    }
  }

  /// The subscriber of the app's classes, which checks what they report.
  fileprivate final class Observer: BroadcastStatusSubscriber, BroadcastCrashSubscriber,
    BroadcastBufferContextSubscriber
  {
    fileprivate struct State {
      /// The start of the current crash poll, and of the one before.
      var poll: (start: MonotonicTime, before: MonotonicTime)
      /// Extensions that have crashed, with the time of the detection.
      var killed: [Int32: MonotonicTime]
      var last: BroadcastFrame.ID?
      var pastSessions: Set<UInt64> = []
      var lastProcess: Int32 = 0
    }

    private let parent: ParentProcess
    private let frames: BroadcastBufferContext
    private let state: Mutex<State>

    init(parent: ParentProcess, frames: BroadcastBufferContext, killed: [Int32]) {
      self.parent = parent
      self.frames = frames
      let (now, never) = (SystemClock().now, MonotonicTime(nanoseconds: 0))
      state = Mutex(
        State(
          poll: (never, never), killed: Dictionary(uniqueKeysWithValues: killed.map { ($0, now) })))
    }

    func beginCrashPoll() {
      state.withLock { $0.poll = (SystemClock().now, $0.poll.start) }
    }

    func onChange(status: Bool) {}

    func onFailure(_ failure: KeyValueFile.Failure) {
      parent.report(.broken("the status cannot be read: \(failure)"))
    }

    func onCrash(pid: Int32) {
      let before = state.withLock { state in
        state.killed[pid] = SystemClock().now
        return state.poll.before
      }
      parent.report(.crash(CrashNotice(pid: pid, before: before.nanoseconds)))
    }

    func onFailure(_ failure: BroadcastBufferContext.Failure) {
      parent.report(.broken("the frames cannot be read: \(failure)"))
    }

    func onFrame(_ frame: BroadcastFrame) {
      let verdict = ProofVerifier.verify(frame.pixelBuffer)
      if verdict != .whole(frame: UInt32(truncatingIfNeeded: frame.id.number)) {
        parent.report(.broken("delivered as frame \(frame.id.number): \(verdict)"))
      }
      guard let session = frames.session, session.id == frame.id.session else {
        parent.report(.broken("a frame of a session other than the current one was delivered"))
        return
      }
      let (failure, isOfAnother) = state.withLock { state in
        let failure = state.failure(of: frame.id, in: session)
        defer { state.lastProcess = session.processID }
        return (failure, state.lastProcess != session.processID)
      }
      if let failure { parent.report(.broken(failure)) }
      if isOfAnother { parent.report(.frames(from: session.processID)) }
    }
  }
}

extension WatcherWorker.Observer.State {
  /// The error of a frame that is delivered now, and a record of its delivery.
  fileprivate mutating func failure(of id: BroadcastFrame.ID, in session: BroadcastSession) -> String? {
    defer { last = id }
    // A session that ended in order may be delivered late, even if its process was killed in a later session.
    if let death = killed[session.processID], session.startTime < death, session.state != .finished {
      return "frame \(id.number) of process \(session.processID) was delivered after the process was killed"
    }
    guard let last, last.session != id.session else {
      return last.map { $0.number < id.number } ?? true
        ? nil : "frame \(id.number) was delivered after frame \(last?.number ?? 0)"
    }
    pastSessions.insert(last.session)
    return pastSessions.contains(id.session)
      ? "frame \(id.number) was delivered after a frame of a later session" : nil
  }
}
