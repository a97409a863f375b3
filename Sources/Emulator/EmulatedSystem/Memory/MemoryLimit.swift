import CommandLineSupport
import CoreVideo
import Foundation
import MemoryKillRecord
import Platform
import SharedMemory
import Synchronization

/// The memory limit of an extension: above it the process is killed, as iOS does it.
///
/// ```swift
/// let limit = MemoryLimit(bytes: 50 << 20, memory: memory, folder: container.broadcastFolder)
/// try limit.start()
/// ```
/// No callback comes, nothing is flushed or closed and nothing is said. What held the memory is in a file by then,
/// which a device does not write; see ``MemoryKill``. It looks a hundred times a second on a thread of its own, so that
/// neither a busy main thread nor a handler that waits delays it.
public final class MemoryLimit: Sendable {
  private let limit: UInt64
  private let memory: ExtensionMemory
  private let folder: String
  private let state = Mutex(State())

  private struct State {
    var session: UInt64?
    var peak: UInt64 = 0
    var looks: UInt64 = 0
  }

  /// The time between two looks.
  private static let interval = 0.01
  /// How many looks there are for each exact one while a rough one may be wrong about the limit.
  private static let looksPerExactOne: UInt64 = 10

  /// A limit that is not watched yet.
  ///
  /// - Parameters:
  ///   - bytes: the most the extension may have.
  ///   - folder: the folder of the broadcast, which gets the file.
  public init(bytes: UInt64, memory: ExtensionMemory, folder: String) {
    limit = bytes
    self.memory = memory
    self.folder = folder
  }

  /// The id of the session that is broadcast, once there is one.
  public func setSession(_ id: UInt64?) { state.withLock { $0.session = id } }

  /// Watches from now on. Throws where the system does not tell the memory of a process.
  public func start() throws(StorageError) {
    _ = try memory.roughFootprint()
    _ = try memory.use()
    let thread = Thread { [self] in
      while true {
        if let kill = look() { enforce(kill) }
        Thread.sleep(forTimeInterval: Self.interval)
      }
    }
    thread.name = "memory limit"
    thread.start()
  }

  /// Looks once; what there is to tell when the extension has too much.
  func look() -> MemoryKill? {
    do throws(StorageError) {
      let rough = try memory.roughFootprint()
      let (looks, peakBefore) = state.withLock { state in
        state.looks += 1
        state.peak = max(state.peak, rough)
        return (state.looks, state.peak)
      }
      // The kernel adds up all mappings for an exact number; near the limit alone it is worth that. What is near grows
      // with the processors: where many of them are, it may be all.
      let isNear = rough + ProcessMemory.roughErrorBytes > limit
      guard rough > limit || (isNear && looks % Self.looksPerExactOne == 0) else { return nil }
      let process = try ProcessMemory.of()
      let system = memory.system()
      let footprint = MemoryUse(process, system: system.byteCount).footprint
      guard footprint > limit else { return nil }
      return record(
        footprint: footprint, peak: max(footprint, peakBefore), system: system, try MemoryMapping.all())
    } catch {
      // A process that has no file descriptor left cannot look; it may have one again at the next look.
      return nil
    }
  }

  private func record(
    footprint: UInt64, peak: UInt64, system: SystemMemory, _ mappings: [MemoryMapping]
  ) -> MemoryKill {
    let breakdown = MemoryBreakdown(mappings, folder: folder)
    let allPixels = UInt64(clamping: PixelBufferMemory.byteCount)
    let pixels = min(allPixels - min(system.pixelBuffers, allPixels), footprint)
    let heap = min(breakdown.heap - min(pixels + system.byteCount, breakdown.heap), footprint - pixels)
    let stacks = min(breakdown.stacks, footprint - pixels - heap)
    return MemoryKill(
      pid: getpid(), session: state.withLock { $0.session.map { String($0, radix: 16) } },
      atNs: SystemClock().now.nanoseconds, limitBytes: limit, footprintBytes: footprint,
      peakFootprintBytes: peak,
      pixelBufferBytes: pixels, heapBytes: heap, stackBytes: stacks,
      otherBytes: footprint - pixels - heap - stacks,
      systemBytes: system.byteCount + breakdown.sharedWithoutFile,
      sharedFileBytes: Dictionary(
        uniqueKeysWithValues: breakdown.sharedFiles.sorted { $0.value > $1.value }
          .prefix(MemoryKill.sharedFileLimit).map { ($0.key, $0.value) }),
      mappedFileBytes: breakdown.otherFiles)
  }

  /// Leaves the file and ends the process.
  private func enforce(_ record: MemoryKill) {
    // A limit is kept whether or not there was room for the file; who finds none knows of a death without a reason.
    do { try PlainFile.replace(Self.file(in: folder), with: record.json) } catch {}
    _ = Foundation.kill(getpid(), SIGKILL)
  }

  /// The path of the file in the folder of the broadcast.
  public static func file(in folder: String) -> String { folder + "/" + MemoryKill.fileName }
}
