/// What the system does with a process. By `/proc`, which Linux has.
public enum ProcessState {
  /// Whether the process exists and is stopped, as by SIGSTOP: it holds what it holds, and does nothing.
  public static func isStopped(_ pid: Int32) -> Bool {
    do {
      let file = try System.open(ProcessFiles.path("stat", of: pid), System.readOnly)
      let text = String(decoding: try System.read(file, limit: 1024), as: UTF8.self)
      // The name in parentheses may hold anything; the state is the letter behind them.
      guard let end = text.lastIndex(of: ")") else { return false }
      let state = text[text.index(after: end)...].first { $0 != " " }
      return state == "T" || state == "t"
    } catch {
      // No such process: who waits for it learns so from its lock.
      return false
    }
  }
}
