/// Damage from outside to a broadcast under test.
public enum BroadcastFault: Sendable, Equatable {
  /// A process of the broadcast.
  public enum Side: String, Sendable { case `extension`, app }

  /// Kills a process, as the system does: SIGKILL.
  case kill(Side)
  /// Stops a process, as a debugger does: SIGSTOP.
  case suspend(Side)
  /// Lets a stopped process run again: SIGCONT.
  case resume(Side)
  /// Cuts a file to `byteCount` bytes. The path is relative to ``TestBroadcast/containerFolder``.
  case truncate(String, byteCount: Int)
  /// Fills the file system of the container, which needs the parameter `diskSpace`.
  case fillDisk
  /// Gives back the space that ``fillDisk`` took.
  case emptyDisk
  /// Sets the flag from outside.
  case setFlag(Bool)
}
