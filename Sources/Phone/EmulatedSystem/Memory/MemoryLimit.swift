import Causes
import CoreVideo
import Foundation
import PhoneLink
import Platform
import Synchronization

/// The memory limit of an extension. Above it the process is killed, as by iOS.
///
/// ```swift
/// let limit = MemoryLimit(bytes: 50 << 20, memory: memory, folder: folder) { record in … }
/// try limit.start(on: watch)
/// ```
/// The handler gets no callback, and nothing is flushed or closed. A ``WatchdogThread`` checks the limit.
package final class MemoryLimit: Sendable {
  private let limit: UInt64
  private let memory: ExtensionMemory
  private let folder: String
  private let clock: any MonotonicClock
  private let willKill: @Sendable (MemoryKill) -> Void
  private let state = Mutex(State())

  private struct State {
    var session: UInt64?
    var peak: UInt64 = 0
    var checks: UInt64 = 0
  }

  /// Creates a limit that is not enforced yet. Before a kill, `willKill` receives its record, on the watch's thread.
  ///
  /// - Parameter folder: the folder of the broadcast. The record names its mapped files.
  package init(
    bytes: UInt64, memory: ExtensionMemory, folder: String, clock: any MonotonicClock = SystemClock(),
    willKill: @escaping @Sendable (MemoryKill) -> Void = { _ in }
  ) {
    (limit, self.memory, self.folder, self.clock) = (bytes, memory, folder, clock)
    self.willKill = willKill
  }

  package func setSession(_ id: UInt64?) { state.withLock { $0.session = id } }

  /// Enforces the limit from now on. Throws if the system does not report the memory of a process.
  package func start(on watch: WatchdogThread) throws(FileError) {
    ProcessResources.returnFreedBlocks()
    _ = try memory.roughFootprint()
    _ = try memory.use()
    watch.add { [self] in
      guard let record = check() else { return }
      willKill(record)
      _ = Foundation.kill(getpid(), SIGKILL)
    }
  }

  /// Checks once. Returns the record of a kill if the extension is above its limit.
  func check() -> MemoryKill? {
    do throws(FileError) {
      let rough = try memory.roughFootprint()
      let (checks, peakBefore) = state.withLock { state in
        state.checks += 1
        state.peak = max(state.peak, rough)
        return (state.checks, state.peak)
      }
      // For an exact number, the kernel adds up all mappings. That is worthwhile only above the limit, or near it at every tenth
      // check. The error of the rough number grows with the number of CPUs, so on a large host every footprint may be near the
      // limit.
      let isNear = rough + ProcessMemory.roughErrorBytes > limit
      guard rough > limit || (isNear && checks % 10 == 0) else { return nil }
      let process = try ProcessMemory.measure()
      let system = memory.system()
      let footprint = ReportedMemory(process, system: system.byteCount).footprint
      guard footprint > limit else { return nil }
      return record(
        footprint: footprint, peak: max(footprint, peakBefore), system: system, try MemoryMapping.all())
    } catch {
      // Out of file descriptors: there may be one at the next check.
      return nil
    }
  }

  private func record(
    footprint: UInt64, peak: UInt64, system: SystemMemory, _ mappings: [MemoryMapping]
  ) -> MemoryKill {
    let breakdown = MemoryBreakdown(mappings, folder: folder)
    let pixels = min(
      UInt64(clamping: PixelBufferMemory.byteCount).minus(system.pixelBuffers), footprint)
    let heap = min(breakdown.heap.minus(pixels + system.byteCount), footprint - pixels)
    let stacks = min(breakdown.stacks, footprint - pixels - heap)
    let largestFiles = breakdown.sharedFiles.sorted { $0.value > $1.value }.prefix(MemoryKill.sharedFileLimit)
    return MemoryKill(
      pid: getpid(), session: state.withLock { $0.session.map { String($0, radix: 16) } },
      atNs: clock.now.nanoseconds, limitBytes: limit, footprintBytes: footprint, peakFootprintBytes: peak,
      pixelBufferBytes: pixels, heapBytes: heap, stackBytes: stacks,
      otherBytes: footprint - pixels - heap - stacks,
      systemBytes: system.byteCount + breakdown.sharedWithoutFile,
      sharedFileBytes: Dictionary(uniqueKeysWithValues: largestFiles.map { ($0.key, $0.value) }),
      mappedFileBytes: breakdown.otherFiles)
  }
}
