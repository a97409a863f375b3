import Platform

/// Also returns 0 if the system cannot read the memory. Takes about a millisecond here.
public func os_proc_available_memory() -> Int {
  do throws(FileError) { return Int(clamping: try ReportedMemory.now().memory.available) } catch {
    return 0
  }
}
