import Foundation
import Platform
import Synchronization
import TestSupport
import Testing

/// Each test is a process of its own: launches out of turn would disturb other tests.
@Suite struct LaunchingTests {
  @Test func theEndOfAProcessIsNoticedWhileOthersRun() async {
    await #expect(processExitsWith: .success) {
      try exit(LaunchRace(.seconds(3)) { try Launching.run($0) }.losesAnEnd() ? 1 : 0)
    }
  }

  /// The control: Foundation alone.
  @Test(.enabled(if: runsLongTests, "takes up to a minute; set LONG_TESTS=1"))
  func withoutTurnsTheEndOfAProcessIsNoticedWithThatOfAnother() async {
    await #expect(processExitsWith: .exitCode(1)) {
      try exit(LaunchRace(.seconds(60)) { try $0.run() }.losesAnEnd() ? 1 : 0)
    }
  }
}

/// Several threads that launch short processes, and one that launches processes that stay.
private struct LaunchRace: Sendable {
  private let duration: Duration
  private let launch: @Sendable (Process) throws -> Void

  init(_ duration: Duration, by launch: @escaping @Sendable (Process) throws -> Void) {
    (self.duration, self.launch) = (duration, launch)
  }

  private func start(_ program: String, _ arguments: [String] = []) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    try launch(process)
    return process
  }

  /// Returns whether the end of a short process is not noticed while the others stay.
  func losesAnEnd() throws -> Bool {
    let end = ContinuousClock.now + duration
    let state = Mutex((isLost: false, failure: (any Error)?.none, stay: [Process]()))
    @Sendable func continues() -> Bool {
      ContinuousClock.now < end && state.withLock { !$0.isLost && $0.failure == nil }
    }
    DispatchQueue.concurrentPerform(iterations: 6) { index in
      do {
        while continues() {
          if index == 0 {
            let process = try start("/bin/sleep", ["600"])
            // The newest hundred stay.
            let old = state.withLock { state in
              state.stay.append(process)
              return state.stay.count > 100 ? state.stay.removeFirst() : nil
            }
            old?.terminate()
          } else {
            let process = try start("/bin/true")
            if !holds(within: .seconds(10), { !process.isRunning }) { state.withLock { $0.isLost = true } }
          }
        }
      } catch {
        state.withLock { $0.failure = error }
      }
    }
    let (isLost, failure, stay) = state.withLock { $0 }
    stay.forEach { $0.terminate() }
    if let failure { throw failure }
    return isLost
  }
}
