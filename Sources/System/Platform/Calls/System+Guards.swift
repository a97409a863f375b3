import CPlatform

extension System {
  /// Guards a range of memory, so that a signal of an access to it does not end the process. Returns the ticket of the range.
  ///
  /// Throws if this process has no handler of the signal, or guards as many ranges as it can.
  /// - Parameter name: what the range holds, for the error.
  package static func guardMemory(
    _ kind: memory_guard, _ base: UnsafeMutableRawPointer, byteCount: Int, of name: String
  ) throws(FileError) -> Int32 {
    // UNSAFE: the range is mapped, and its owner takes it out of the guard before it unmaps it.
    let ticket = unsafe memory_guard_add(kind, base, byteCount)
    if ticket == GUARD_NO_HANDLER {
      throw FileError(.call("sigaction", .current), kind == GUARD_OF_PAGES ? "SIGSEGV" : "SIGBUS")
    }
    guard ticket >= 0 else { throw FileError(.tooManyMappings, name) }
    return ticket
  }
}
