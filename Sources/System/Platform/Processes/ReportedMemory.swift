import Synchronization

/// The memory usage that this process reports to its own code, in bytes. In an emulated extension, only the extension's share.
package struct ReportedMemory: Equatable, Sendable {
  /// Private memory that was written. It counts towards the limit.
  package var footprint: UInt64
  /// Resident memory of files and of shared memory.
  package var mappedFiles: UInt64
  /// The footprint above which the process is killed; `nil` without a limit.
  package var limit: UInt64?

  /// Subtracts the memory of the emulated system (`system` bytes) from the memory of a process. The kernel's counters are not
  /// read atomically, so differences are clamped to 0.
  package init(_ memory: ProcessMemory, system: UInt64 = 0, limit: UInt64? = nil) {
    footprint = memory.anonymous - min(system, memory.anonymous)
    mappedFiles = memory.resident - min(memory.anonymous, memory.resident)
    self.limit = limit
  }

  /// Bytes available before the limit, or before the host's memory if there is no limit. 0 if exceeded.
  package var available: UInt64 {
    let most = limit ?? System.memoryByteCount
    return most - min(footprint, most)
  }

  private struct Source {
    var measure: @Sendable () throws(FileError) -> ReportedMemory = {
      () throws(FileError) in ReportedMemory(try ProcessMemory.measure())
    }
    var peak: UInt64 = 0
  }

  private static let source = Mutex(Source())

  package static func install(_ measure: @escaping @Sendable () throws(FileError) -> ReportedMemory) {
    source.withLock { $0.measure = measure }
  }

  /// Returns the current memory usage, and the largest footprint of all calls so far.
  package static func now() throws(FileError) -> (memory: ReportedMemory, peak: UInt64) {
    let measure = source.withLock(\.measure)
    let memory = try measure()
    return source.withLock { source in
      source.peak = max(source.peak, memory.footprint)
      return (memory, source.peak)
    }
  }
}
