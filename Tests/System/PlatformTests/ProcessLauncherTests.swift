import TestSupport

/// Tests the serialization of launches. Each test runs in its own process, because unserialized launches would disturb other
/// tests.
@Suite struct ProcessLauncherTests {
  @Test func theEndOfAProcessIsNoticedWhileOthersStay() async {
    await #expect(processExitsWith: .success) {
      try exit(LaunchRace(by: ProcessLauncher.run).losesAnEnd(staying: 200) ? 1 : 0)
    }
  }

  /// Foundation blocks in its wait for a process that has closed its file descriptors. As a control, Foundation misses the
  /// exit of another process.
  @Test func theEndOfAChildIsNoticedWhileFoundationWaitsForAnother() async {
    await #expect(processExitsWith: .success) {
      let closing = #"for file in /proc/$$/fd/*; do eval "exec ${file##*/}>&-"; done; exec sleep 600"#
      let other = try ChildProcess(URL(filePath: "/bin/bash"), ["-c", closing])
      // The first processes may exit before Foundation blocks.
      let isMissed = try holds {
        let control = Process()
        control.executableURL = URL(filePath: "/bin/true")
        try ProcessLauncher.run(control)
        return !holds(within: .seconds(1)) { !control.isRunning }
          && System.exitStatus(ofChild: control.processIdentifier) != nil
      }
      let child = try ChildProcess(URL(filePath: "/bin/sh"), ["-c", "exit 3"])
      let isNoticed = child.end() == .exit(3) && other.isRunning
      other.kill()
      exit(isMissed && isNoticed ? 0 : 1)
    }
  }

  /// The control: Foundation's launches, not serialized.
  @Test(.enabled(if: runsLongTests, "launches two thousand processes; set LONG_TESTS=1"))
  func withoutTurnsTheEndOfAProcessIsNoticedWithThatOfAnother() async {
    await #expect(processExitsWith: .exitCode(1)) {
      let race = LaunchRace { try $0.run() }
      for _ in 1...4 where try race.losesAnEnd(staying: 500) { exit(1) }
    }
  }
}

/// Threads that launch processes that exit at once, in parallel with a thread that launches long-running processes.
private struct LaunchRace: Sendable {
  private let launch: @Sendable (Process) throws -> Void

  init(by launch: @escaping @Sendable (Process) throws -> Void) { self.launch = launch }

  /// Returns whether the exit of a process is missed before `count` long-running processes have been launched.
  func losesAnEnd(staying count: Int) throws -> Bool {
    let state = Mutex((isLost: false, failure: (any Error)?.none, staying: [Process]()))
    // SIGKILL, because a child that a dispatch thread launched blocks other signals.
    defer { state.withLock { $0.staying.forEach { _ = kill($0.processIdentifier, SIGKILL) } } }
    DispatchQueue.concurrentPerform(iterations: 6) { index in
      do {
        while state.withLock({ !$0.isLost && $0.failure == nil && $0.staying.count < count }) {
          let process = try start(index == 0 ? ["/bin/sleep", "86400"] : ["/bin/true"])
          if index == 0 {
            state.withLock { $0.staying.append(process) }
          } else {
            // The limit begins when the process has exited, so that host load does not count.
            _ = holds(within: .seconds(600)) {
              !process.isRunning || System.exitStatus(ofChild: process.processIdentifier) != nil
            }
            if !holds(within: .seconds(45), { !process.isRunning }) { state.withLock { $0.isLost = true } }
          }
        }
      } catch {
        state.withLock { $0.failure = error }
      }
    }
    let (isLost, failure) = state.withLock { ($0.isLost, $0.failure) }
    if let failure { throw failure }
    return isLost
  }

  private func start(_ command: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardInput = FileHandle.nullDevice
    try launch(process)
    return process
  }
}
