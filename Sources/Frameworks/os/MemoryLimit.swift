import Platform

/// The bytes that this process may still write before it is killed for its memory; 0 if it is above its limit, or if the
/// system cannot tell. Models the function of os/proc.h. It takes about a millisecond here.
public func os_proc_available_memory() -> Int {
  do throws(StorageError) { return Int(clamping: try ReportedMemory.now().memory.available) } catch {
    return 0
  }
}
