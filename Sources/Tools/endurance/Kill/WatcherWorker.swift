import Foundation
import Platform
import ReplayKit
import ScreenBroadcast
import SharedMemory
import Synchronization
import TestPatterns

/// The worker that watches as an app does: status, crashes and frames, polled flat out by step.
struct WatcherWorker: Codable, Sendable {
  /// The root of the container.
  var root: String
  /// The app group.
  var group: String
  /// Extensions that were dead before this worker began.
  var dead: [Int32]

  /// Watches until the parent has enough.
  func run(for parent: ParentProcess) throws {
    let container = try AppGroupContainer(root: root, group: group)
    let (statusTimer, crashTimer, frameTimer) = (StepTimer(), StepTimer(), StepTimer())
    let status = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: statusTimer)
    let detector = BroadcastCrashDetector(container: container, status: status, timer: crashTimer)
    let frames = BroadcastBufferContext(container: container, framePollTimer: frameTimer)
    let eyes = Eyes(parent: parent, frames: frames, dead: dead)
    status.subscribe(eyes)
    detector.subscribe(eyes)
    frames.subscribe(eyes)
    parent.tell(.ready)
    while parent.wantsMore {
      statusTimer.step()
      eyes.beginLookForCrash()
      crashTimer.step()
      // As the app does: who dies after an end in order, in the moment before its ring is removed, has cleared
      // the flag.
      if status.lastStatus { frameTimer.step() }
    }
    if frames.statistics.framesRepeated > 0 {
      parent.tell(.broken("\(frames.statistics.framesRepeated) frames were repeated"))
    }
  }

  /// What the app sees, held against what was promised.
  fileprivate final class Eyes: BroadcastStatusSubscriber, BroadcastCrashSubscriber,
    BroadcastBufferContextSubscriber
  {
    fileprivate struct State {
      var look: (began: UInt64, before: UInt64) = (0, 0)
      /// Extensions known to be dead, and since when.
      var dead: [Int32: UInt64]
      var last: BroadcastFrame.ID?
      var pastSessions: Set<UInt64> = []
      var lastProcess: Int32 = 0
    }

    private let parent: ParentProcess
    private let frames: BroadcastBufferContext
    private let state: Mutex<State>

    init(parent: ParentProcess, frames: BroadcastBufferContext, dead: [Int32]) {
      self.parent = parent
      self.frames = frames
      let now = SystemClock().now.nanoseconds
      state = Mutex(State(dead: Dictionary(uniqueKeysWithValues: dead.map { ($0, now) })))
    }

    func beginLookForCrash() {
      state.withLock { $0.look = (SystemClock().now.nanoseconds, $0.look.began) }
    }

    func onChange(status: Bool) {}

    func onFailure(_ failure: KeyValueFile.Failure) {
      parent.tell(.broken("the status cannot be read: \(failure)"))
    }

    func onCrash(pid: Int32) {
      let look = state.withLock { state in
        state.dead[pid] = SystemClock().now.nanoseconds
        return state.look
      }
      parent.tell(.crash(CrashNotice(pid: pid, noticed: look.began, before: look.before)))
    }

    func onFailure(_ failure: BroadcastBufferContext.Failure) {
      parent.tell(.broken("the frames cannot be read: \(failure)"))
    }

    func onFrame(_ frame: BroadcastFrame) {
      let verdict = ProofVerifier.verify(frame.pixelBuffer)
      if verdict != .whole(frame: UInt32(truncatingIfNeeded: frame.id.number)) {
        parent.tell(.broken("shown as frame \(frame.id.number): \(verdict)"))
      }
      guard let session = frames.session, session.id == frame.id.session else {
        parent.tell(.broken("a frame came of a session that is not the present one"))
        return
      }
      let (complaint, isOfAnother) = state.withLock { state in
        let complaint = state.complaint(about: frame.id, of: session)
        defer { state.lastProcess = session.processID }
        return (complaint, state.lastProcess != session.processID)
      }
      if let complaint { parent.tell(.broken(complaint)) }
      if isOfAnother { parent.tell(.frames(from: session.processID)) }
    }
  }
}

extension WatcherWorker.Eyes.State {
  /// What is wrong with a frame being shown now; notes that it was.
  fileprivate mutating func complaint(about id: BroadcastFrame.ID, of session: BroadcastSession) -> String? {
    defer { last = id }
    // A session that ended in order may be seen late, also when its process has begun another one and died in it.
    if let death = dead[session.processID], session.startTime.nanoseconds < death, session.state != .finished
    {
      return "frame \(id.number) was shown of process \(session.processID), which was dead already"
    }
    guard let last, last.session != id.session else {
      return last.map { $0.number < id.number } ?? true
        ? nil : "frame \(id.number) was shown after frame \(last?.number ?? 0)"
    }
    pastSessions.insert(last.session)
    return pastSessions.contains(id.session)
      ? "frame \(id.number) was shown of a session that another one had followed" : nil
  }
}
