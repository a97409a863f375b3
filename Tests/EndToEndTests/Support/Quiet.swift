import Foundation

/// Waits until this process, which runs the tests of all targets, and the programs it has started have hardly
/// anything to do: what is timed then has the machine to itself. After `limit` it goes on all the same.
@MainActor
func testsGoQuiet(within limit: Duration = .seconds(90)) async throws {
  let deadline = ContinuousClock.now + limit
  var (time, used) = (ContinuousClock.now, secondsUsed())
  try await eventually("quiet", within: limit + .seconds(1)) {
    let now = ContinuousClock.now
    guard now - time > .milliseconds(300) else { return false }
    let load = (secondsUsed() - used) / ((now - time) / .seconds(1))
    (time, used) = (now, secondsUsed())
    return load < 0.3 || now > deadline
  }
}

/// The processor time of this process, of the programs it has started, and of those that have ended.
private func secondsUsed() -> Double {
  var usage = rusage()
  // UNSAFE: the call fills the struct.
  _ = unsafe getrusage(RUSAGE_CHILDREN.rawValue, &usage)
  let ended = seconds(usage.ru_utime) + seconds(usage.ru_stime)
  return Double(clock()) / Double(CLOCKS_PER_SEC) + ended
    + children(of: getpid()).reduce(0) { $0 + secondsUsed(by: $1) }
}

private func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }

/// The processor time of a running program and of those below it; 0 for one that has just ended.
private func secondsUsed(by process: Int32) -> Double {
  // The name in parentheses may hold anything; the times are the 14th to 17th field, in ticks.
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
