import PhoneLink

extension Trait where Self == ConditionTrait {
  /// Skips the test if a process may not shut down the sockets of another process, as the suspension of an app requires.
  /// Docker's default rules forbid it.
  package static var endsOtherSockets: Self {
    .enabled(
      if: OtherSockets.canBeEnded,
      "allow processes to trace each other, as with 'docker run --cap-add SYS_PTRACE'")
  }
}

private enum OtherSockets {
  /// Whether this process can shut down sockets of a child. Foundation gives each child process a socket.
  static let canBeEnded: Bool = {
    do {
      let child = try ChildProcess(URL(filePath: "/bin/sleep"), ["86400"])
      defer { child.kill() }
      try ProcessSockets.shutDown(of: child.pid)
      return true
    } catch {
      return false
    }
  }()
}
