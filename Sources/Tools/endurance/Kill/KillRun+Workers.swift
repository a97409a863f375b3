import Platform
import ScreenBroadcast
import WorkerSupport

extension KillRun {
  /// Launches workers and waits until each works with the others.
  mutating func launch(
    _ roles: [Role], crashed: Int32? = nil, death: MonotonicTime = MonotonicTime(nanoseconds: 0)
  ) throws {
    for role in roles {
      workers[role] = try WorkerProcess(job(for: role), name: role.name)
      // An app that is launched before the next extension detects the crash as well.
      if role == .watcher, let crashed, workers[.handler] == nil, try verdict() == .crashed(pid: crashed) {
        try expectCrashNotice(of: crashed, death: death)
      }
    }
    guard let handler = workers[.handler], let watcher = workers[.watcher], let keys = workers[.keys],
      let leaser = workers[.leaser]
    else { return }
    let pid = handler.process.pid
    try wait(for: "the app to get frames of process \(pid)") {
      watcher.messages.all.contains(.frames(from: pid))
    }
    try wait(for: "the writer of other keys to write") { keys.messages.all.contains(.ready) }
    try wait(for: "the reader with leases to begin") { leaser.messages.all.contains(.ready) }
    // With other activities the rings are removed before a lease.
    if activity == .publishing {
      try wait(for: "a frame of process \(pid) to be leased") {
        leaser.messages.all.contains(.leased(from: pid))
      }
    }
    result.takeovers += 1
  }

  private mutating func job(for role: Role) -> WorkerJob {
    let (root, group) = (context.folder.path, container.group)
    switch role {
    case .handler:
      activity = HandlerWorker.Activity.allCases.randomElement(using: &random) ?? .publishing
      return .handler(HandlerWorker(root: root, group: group, activity: activity))
    case .watcher:
      return .watcher(WatcherWorker(root: root, group: group, killed: killedHandlers.suffix(8)))
    case .leaser: return .leaser(LeaserWorker(root: root, group: group, seed: random.next()))
    case .keys: return .keys(KeyWorker(root: root, group: group, seed: random.next()))
    }
  }

  func wait(for event: String, _ condition: () -> Bool) throws {
    let happened = try holds(within: .seconds(10)) {
      try checkReports()
      return condition()
    }
    try expect(happened, "waiting 10 s was not enough for \(event)")
  }

  /// Throws if a worker has reported a failure, or has ended by itself.
  func checkReports() throws {
    for worker in workers.values {
      try worker.checkReports()
      guard !worker.process.isRunning else { continue }
      let ending = worker.process.end().text
      try worker.checkReports()
      throw CheckFailure("\(worker.name) \(ending)")
    }
  }
}
