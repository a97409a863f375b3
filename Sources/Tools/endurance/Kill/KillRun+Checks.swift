import Foundation
import Platform
import ScreenBroadcast

extension KillRun {
  /// After kills the container contains only documented files, and none that blocks the other processes.
  mutating func checkContainer(after victims: [Role], killedHandler: Int32?) throws {
    result.kills += victims.count
    for victim in victims {
      switch victim {
      case .handler: result.extensionsKilled += 1
      case .watcher: result.appsKilled += 1
      case .leaser: result.leasersKilled += 1
      case .keys: result.keyWritersKilled += 1
      }
    }
    let state = try LeftoverState(in: container, handler: killedHandler, leaser: victims.contains(.leaser))
    if state.contains(.publish) { result.insidePublish += 1 }
    if state.contains(.ringCreation) { result.insideRingMaking += 1 }
    if state.contains(.keyWrite) { result.insideKeyWrite += 1 }
    if state.contains(.lease) { result.insideLease += 1 }
    let leaks = try ContainerTree(of: container).leaks(isAtRest: false)
    try expect(leaks.isEmpty, "the container contains \(leaks.joined(separator: ", "))")
    try checkDefaults()
  }

  /// The property list is whole, contains all keys of other writers, and can be written.
  func checkDefaults() throws {
    guard let pattern = KeyPattern(try KeyPattern.values(in: container)) else {
      throw CheckFailure("the key \(KeyPattern.constant) is lost")
    }
    try expect(pattern.isWhole, "an update of other keys is lost: \(pattern.values)")
    let damaged = try KeyValueFile(container: container).set(true, forKey: KeyPattern.constant)
    try expect(damaged == nil, "the property list was damaged")
  }

  /// After the kill of an extension its lock is free, the next poll detects the crash, and a new reader gets no frame.
  mutating func checkCrashDetection(of handler: Int32?, death: MonotonicTime) throws {
    guard let handler else { return }
    killedHandlers.append(handler)
    switch try verdict() {
    case .active(let pid), .changing(let pid):
      throw CheckFailure("process \(pid) was killed and still counts as broadcasting")
    case .inactive, .unclaimed: return
    case .crashed(let pid):
      // The process may have been killed before its broadcast; the crash is then an earlier one.
      guard pid == handler else { return }
    }
    let frames = BroadcastBufferContext(container: container, framePollTimer: StepTimer())
    let subscriber = NullSubscriber()
    frames.subscribe(subscriber)
    for _ in 0..<3 { frames.poll() }
    try expect(
      frames.statistics.framesDelivered == 0, "a frame of the killed process \(handler) is still delivered")
    if workers[.watcher] != nil { try expectCrashNotice(of: handler, death: death) }
  }

  func verdict() throws -> BroadcastCrashDetector.Verdict {
    let status = BroadcastStatusManagerImpl(
      defaults: KeyValueFile(container: container), timer: StepTimer())
    return try BroadcastCrashDetector(container: container, status: status, timer: StepTimer()).verdict()
  }

  /// The running app detects the crash at its first poll after the kill.
  mutating func expectCrashNotice(of handler: Int32, death: MonotonicTime) throws {
    guard let watcher = workers[.watcher] else { return }
    var notice: CrashNotice?
    try wait(for: "the app to report the crash of process \(handler)") {
      notice =
        watcher.messages.all.reversed().lazy.compactMap {
          if case .crash(let notice) = $0, notice.pid == handler { notice } else { nil }
        }.first
      return notice != nil
    }
    if let notice {
      try expect(
        notice.before <= death.nanoseconds,
        "the app polled after process \(handler) was killed and did not detect it")
      result.crashesTold += 1
    }
  }

  private final class NullSubscriber: BroadcastBufferContextSubscriber {
    func onFrame(_ frame: BroadcastFrame) {}
    func onFailure(_ failure: BroadcastBufferContext.Failure) {}
  }
}
