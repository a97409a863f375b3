import Platform
import ScreenBroadcast

extension KillRun {
  /// The property list is whole, contains all keys of other writers, and can be written.
  func checkDefaults() throws {
    let pattern = try KeyPattern(in: container)
    try expect(pattern.isWhole, "an update of other keys is lost: \(pattern.values)")
    let damaged = try KeyValueFile(container: container).set(true, forKey: KeyPattern.constant)
    try expect(damaged == nil, "the property list was damaged")
  }

  /// After the kill of an extension its lock is free, the next poll detects the crash, and a new reader gets no frame.
  func checkDetection(of crash: Crash) throws {
    switch try verdict() {
    case .active(let pid), .changing(let pid):
      throw CheckFailure("process \(pid) was killed and still counts as broadcasting")
    case .inactive, .unclaimed: return
    case .crashed(let pid):
      // The process may have been killed before its broadcast; the crash is then an earlier one.
      guard pid == crash.pid else { return }
    }
    let frames = BroadcastBufferContext(container: container, framePollTimer: StepTimer())
    let subscriber = NullSubscriber()
    frames.subscribe(subscriber)
    for _ in 0..<3 { frames.poll() }
    try expect(
      frames.statistics.framesDelivered == 0, "a frame of the killed process \(crash.pid) is still delivered")
    if workers[.watcher] != nil { try expectDetection(of: crash) }
  }

  func verdict() throws -> BroadcastCrashDetector.Verdict {
    let status = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: StepTimer())
    return try BroadcastCrashDetector(container: container, status: status, timer: StepTimer()).verdict()
  }

  /// The running app detects the crash at its first poll after the kill.
  func expectDetection(of crash: Crash) throws {
    var lastPoll: UInt64?
    try wait(for: .watcher, "to report the crash of process \(crash.pid)") {
      lastPoll = $0.pollBeforeCrash(of: crash.pid)
      return lastPoll != nil
    }
    try expect(
      lastPoll ?? .max <= crash.time.nanoseconds,
      "the app polled after process \(crash.pid) was killed and did not detect it")
    result.crashesTold += 1
  }

  private final class NullSubscriber: BroadcastBufferContextSubscriber {
    func onFrame(_ frame: BroadcastFrame) {}
    func onFailure(_ failure: BroadcastBufferContext.Failure) {}
  }
}
