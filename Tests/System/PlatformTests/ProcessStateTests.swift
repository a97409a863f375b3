import Glibc
import TestSupport

// The C library's declaration is hidden behind `_GNU_SOURCE`.
@_silgen_name("posix_spawn_file_actions_addclosefrom_np") private func closeFrom(
  _ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ first: Int32
) -> Int32

@Suite struct ProcessStateTests {
  @Test func aProcessThatRunsDoesNotExit() throws {
    let pid = try launch("/bin/sleep", "60")
    defer { end(pid) }
    #expect(!ProcessState.isExiting(pid))
    #expect(!ProcessState.isExiting(getpid()))
  }

  @Test func aSuspendedProcessExitsWhenItIsKilled() throws {
    let pid = try launch("/bin/sleep", "60")
    kill(pid, SIGSTOP)
    try awaitChange(of: pid, WSTOPPED)
    #expect(ProcessState.isStopped(pid) && !ProcessState.isExiting(pid))
    kill(pid, SIGKILL)
    try awaitChange(of: pid, WEXITED)
    #expect(ProcessState.isExiting(pid))
    end(pid)
    #expect(!ProcessState.isExiting(pid))
  }

  @Test(.needs(.python)) func aProcessIsStoppedWhenEachOfItsThreadsIs() throws {
    let process = try ChildProcess(
      try OptionalTool.python.required(),
      [
        "-c",
        """
        import socket, threading
        def work():
          while True:
            for end in socket.socketpair(): end.close()
        for _ in range(8): threading.Thread(target=work).start()
        """,
      ])
    defer { process.kill() }
    let tasks = "/proc/\(process.pid)/task"
    func threads() throws -> [String] { try ProcessFiles.numbers(in: tasks).map { "\(tasks)/\($0)/stat" } }
    #expect(try holds { try threads().count == 9 })
    for _ in 0..<300 {
      process.send(SIGSTOP)
      #expect(holds { ProcessState.isStopped(process.pid) })
      for thread in try threads() { #expect(try ProcessFiles.text(thread).contains(") T ")) }
      process.send(SIGCONT)
    }
  }

  @Test func theOpenFilesAreThoseOfAProcessThatRuns() throws {
    let folder = try TemporaryFolder()
    let file = try System.open(folder.path, System.readOnly)
    #expect(try ProcessFiles.openFiles(of: getpid()).contains { $0.hasSuffix(folder.path) })
    _ = consume file
    let pid = try launch("/bin/sleep", "60")
    end(pid)
    #expect(try ProcessFiles.openFiles(of: pid).isEmpty)
  }

  private func launch(_ path: String, _ argument: String) throws -> pid_t {
    var pid: pid_t = 0
    // UNSAFE: each word is a copy, and the list ends with a null.
    var words = unsafe [strdup(path), strdup(argument), nil]
    defer { unsafe words.forEach { unsafe free($0) } }
    // The process must not keep the pipes of other tests open.
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    _ = unsafe closeFrom(&actions, 3)
    let code = unsafe posix_spawn(&pid, path, &actions, nil, &words, environ)
    try #require(code == 0)
    return pid
  }

  /// Waits until a child process has stopped or exited, and does not reap it.
  private func awaitChange(of pid: pid_t, _ change: Int32) throws {
    var information = unsafe siginfo_t()
    // UNSAFE: the call fills the structure.
    let code = unsafe waitid(P_PID, id_t(pid), &information, change | WNOWAIT)
    try #require(code == 0)
  }

  private func end(_ pid: pid_t) {
    kill(pid, SIGKILL)
    waitpid(pid, nil, 0)
  }
}
