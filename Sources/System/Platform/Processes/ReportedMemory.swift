import Synchronization

/// The memory of this process as its code may ask for it, in bytes: that of the emulated extension, where there is one.
package struct ReportedMemory: Equatable, Sendable {
  /// Private memory that was written: what a limit counts.
  package var footprint: UInt64
  /// Resident memory of files and of shared memory.
  package var mappedFiles: UInt64
  /// The footprint above which the process is killed; `nil` without a limit.
  package var limit: UInt64?

  /// A process' memory but for `system` bytes, which are not its code's. The kernel's counts are not of one moment.
  package init(_ memory: ProcessMemory, system: UInt64 = 0, limit: UInt64? = nil) {
    footprint = memory.anonymous - min(system, memory.anonymous)
    mappedFiles = memory.resident - min(memory.anonymous, memory.resident)
    self.limit = limit
  }

  /// What is left below the limit, or without one below the machine's memory; 0 above it.
  package var available: UInt64 {
    let most = limit ?? System.memoryByteCount
    return most - min(footprint, most)
  }

  private struct Source {
    var measure: @Sendable () throws(FileError) -> ReportedMemory = {
      () throws(FileError) in ReportedMemory(try ProcessMemory.of())
    }
    var peak: UInt64 = 0
  }

  private static let source = Mutex(Source())

  package static func install(_ measure: @escaping @Sendable () throws(FileError) -> ReportedMemory) {
    source.withLock { $0.measure = measure }
  }

  /// The memory now, and the largest footprint of all calls.
  package static func now() throws(FileError) -> (memory: ReportedMemory, peak: UInt64) {
    let measure = source.withLock(\.measure)
    let memory = try measure()
    return source.withLock { source in
      source.peak = max(source.peak, memory.footprint)
      return (memory, source.peak)
    }
  }
}
