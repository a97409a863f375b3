import Platform
import SharedMemory
import Synchronization

/// The memory of the extension in this process, which is the emulated system's, too.
///
/// ```swift
/// let memory = ExtensionMemory(system: content.systemMemory)
/// print(try memory.use())
/// ```
public struct ExtensionMemory: Sendable {
  /// What the emulated system has here for what is another process' on a device; called on any thread.
  let system: @Sendable () -> SystemMemory

  /// The memory of an extension beside a system that has memory of its own.
  public init(system: @escaping @Sendable () -> SystemMemory = { SystemMemory() }) { self.system = system }

  /// What it takes now.
  public func use() throws(StorageError) -> MemoryUse {
    MemoryUse(try ProcessMemory.of(), system: system().byteCount)
  }

  /// Its footprint within some hundred KiB, in bytes, told at once.
  func roughFootprint() throws(StorageError) -> UInt64 {
    let bytes = try ProcessMemory.roughAnonymousBytes()
    return bytes - min(system().byteCount, bytes)
  }

  private static let hoard = Mutex<[[UInt8]]>([])

  /// The bytes that were taken by ``allocate(_:)``.
  static var allocatedByteCount: Int { hoard.withLock { $0.reduce(0) { $0 + $1.count } } }

  /// Takes so many bytes of private memory, writes them all and keeps them, as a handler that leaks does.
  public static func allocate(_ byteCount: Int) {
    var left = max(0, byteCount)
    while left > 0 {
      // Piece by piece: as on a device, the limit strikes while the memory grows.
      let piece = min(left, 1 << 20)
      hoard.withLock { $0.append([UInt8](repeating: 0xAA, count: piece)) }
      left -= piece
    }
  }
}
