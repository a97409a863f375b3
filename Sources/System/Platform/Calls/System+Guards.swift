import CPlatform

extension System {
  /// Guards a range of memory, so that the signal of an access to it does not kill the process. Returns the ticket of the range.
  ///
  /// Throws if this process has no handler for the signal, or if the table of guarded ranges is full.
  /// - Parameter name: the content of the range, for the error.
  package static func guardMemory(
    _ kind: memory_guard, _ base: UnsafeMutableRawPointer, byteCount: Int, of name: String
  ) throws(FileError) -> Int32 {
    // UNSAFE: the range is mapped, and its owner removes the guard before it unmaps the range.
    let ticket = unsafe memory_guard_add(kind, base, byteCount)
    if ticket == GUARD_NO_HANDLER {
      throw FileError(.call("sigaction", .current), kind == GUARD_OF_PAGES ? "SIGSEGV" : "SIGBUS")
    }
    guard ticket >= 0 else { throw FileError(.tooManyMappings, name) }
    return ticket
  }
}
