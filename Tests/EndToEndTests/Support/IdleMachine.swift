import Dispatch
import Foundation
import Testing

/// Waits until this process, which runs the tests of all targets, and the programs it launched are almost idle, so that
/// a timed program has the machine to itself.
///
/// If that takes longer than `limit`, the pace of the machine is measured: the test is skipped, with the figures, if a
/// timer at 60 Hz is late.
@MainActor
func waitForIdleMachine(within limit: Duration = .seconds(90)) async throws {
  let deadline = ContinuousClock.now + limit
  var (time, used, load) = (ContinuousClock.now, secondsUsed(), 0.0)
  try await eventually("an idle machine", within: limit + .seconds(1)) {
    let now = ContinuousClock.now
    guard now - time > .milliseconds(300) else { return false }
    load = (secondsUsed() - used) / ((now - time) / .seconds(1))
    (time, used) = (now, secondsUsed())
    return load < 0.3 || now > deadline
  }
  guard load >= 0.3 else { return }
  let late = await latenessAt60Hz()
  guard late > .milliseconds(8) else { return }
  try Test.cancel("The machine is busy: the tests use \(load) cores, and a timer at 60 Hz is \(late) late.")
}

/// The time by which one in ten ticks of a timer at 60 Hz is late, over one second.
@MainActor
private func latenessAt60Hz() async -> Duration {
  var lateness: [Duration] = []
  for _ in 0..<60 {
    let due = ContinuousClock.now + .microseconds(16_667)
    await withCheckedContinuation { continuation in
      DispatchQueue.main.asyncAfter(deadline: .now() + .microseconds(16_667)) { continuation.resume() }
    }
    lateness.append(ContinuousClock.now - due)
  }
  return lateness.sorted()[54]
}

/// The processor time of this process, of the programs it launched, and of those that have ended, in seconds.
private func secondsUsed() -> Double {
  var usage = rusage()
  // UNSAFE: the call fills the struct.
  _ = unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
  let ended = seconds(usage.ru_utime) + seconds(usage.ru_stime)
  return Double(clock()) / Double(CLOCKS_PER_SEC) + ended
    + children(of: getpid()).reduce(0) { $0 + secondsUsed(by: $1) }
}

private func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

/// The processor time of a running program and its children in seconds; 0 for one that has just ended.
private func secondsUsed(by process: Int32) -> Double {
  // The name in parentheses may contain any character; the times are the 14th to 17th field, in ticks.
  guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
    let end = text.lastIndex(of: ")")
  else { return 0 }
  let fields = text[text.index(after: end)...].split(separator: " ")
  let ticks = fields.dropFirst(11).prefix(4).compactMap { Double($0) }.reduce(0, +)
  return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    + children(of: process).reduce(0) { $0 + secondsUsed(by: $1) }
}

private func children(of process: Int32) -> [Int32] {
  let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
  return threads.flatMap { thread in
    let list = try? String(contentsOfFile: "/proc/\(process)/task/\(thread)/children", encoding: .utf8)
    return (list ?? "").split(separator: " ").compactMap { Int32($0) }
  }
}
