import Platform

/// Returns 0 also if the system cannot tell. Takes about a millisecond here.
public func os_proc_available_memory() -> Int {
  do throws(FileError) { return Int(clamping: try ReportedMemory.now().memory.available) } catch {
    return 0
  }
}
