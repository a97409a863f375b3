extension Thread {
  /// The ID of the calling thread.
  package static var currentID: String {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
    return link?.components(separatedBy: "/").last ?? ""
  }

  /// Whether a thread of this process is blocked in a call.
  package static func isWaiting(_ id: String) -> Bool {
    let stat = try? String(contentsOfFile: "/proc/self/task/\(id)/stat", encoding: .utf8)
    return stat?.split(separator: ")").last?.hasPrefix(" S") == true
  }

  /// Runs `body` on a new thread, as work of a group.
  package static func detach(in group: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    group.enter()
    detachNewThread {
      body()
      group.leave()
    }
  }
}
