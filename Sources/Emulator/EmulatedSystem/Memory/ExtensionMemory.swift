import CommandLineSupport
import Platform
import Synchronization

/// The memory of the extension, in a process that also holds memory of the emulated system.
///
/// ```swift
/// let memory = ExtensionMemory(system: content.systemMemory)
/// print(try memory.use())
/// ```
package struct ExtensionMemory: Sendable {
  /// The memory of the emulated system in this process; called on any thread.
  let system: @Sendable () -> SystemMemory

  /// The extension's memory: that of this process without `system`.
  package init(system: @escaping @Sendable () -> SystemMemory = { SystemMemory() }) { self.system = system }

  /// The exact use now. The kernel adds up all mappings, which takes about a millisecond.
  package func use() throws(StorageError) -> MemoryUse {
    MemoryUse(try ProcessMemory.of(), system: system().byteCount)
  }

  /// The footprint in bytes, wrong by up to `ProcessMemory.roughErrorBytes`, from counters that cost microseconds.
  func roughFootprint() throws(StorageError) -> UInt64 {
    let bytes = try ProcessMemory.roughAnonymousBytes()
    return bytes - min(system().byteCount, bytes)
  }

  private static let leakedBlocks = Mutex<[[UInt8]]>([])

  /// The bytes that ``allocate(_:)`` has taken.
  static var allocatedByteCount: Int { leakedBlocks.withLock { $0.reduce(0) { $0 + $1.count } } }

  /// Allocates `byteCount` bytes, writes and keeps them, as a handler with a leak does.
  package static func allocate(_ byteCount: Int) {
    var left = max(0, byteCount)
    while left > 0 {
      // In blocks of 1 MiB: as on a device, the limit applies while the memory grows.
      let block = min(left, 1 << 20)
      leakedBlocks.withLock { $0.append([UInt8](repeating: 0xAA, count: block)) }
      left -= block
    }
  }
}

/// The memory of an extension as iOS counts it.
package struct MemoryUse: Equatable, Sendable, CustomStringConvertible {
  /// Private memory that was written, in bytes: the footprint of iOS.
  package var footprint: UInt64
  /// Mapped files such as the shared frames, in bytes; iOS does not count them.
  package var mappedFiles: UInt64

  /// The footprint above which iOS ends an extension, in bytes.
  package static let budget: UInt64 = 50 << 20

  /// One line for people, against a budget in bytes.
  package func text(of budget: UInt64) -> String {
    let share = (100 * Double(footprint) / Double(budget)).text(decimals: 0)
    let limit = Double(budget).megabytesText + (budget == Self.budget ? " iOS allows" : " allowed")
    return "\(Double(footprint).megabytesText) private (\(share) % of the \(limit)), "
      + "\(Double(mappedFiles).megabytesText) in mapped files"
  }

  /// One line for people, against the budget of iOS.
  package var description: String { text(of: Self.budget) }
}

extension MemoryUse {
  /// The extension's part of a process' memory, of which `system` bytes belong to the emulated system.
  init(_ memory: ProcessMemory, system: UInt64 = 0) {
    footprint = memory.anonymous - min(system, memory.anonymous)
    mappedFiles = memory.resident - min(memory.anonymous, memory.resident)
  }
}

/// Private memory in the extension's process that belongs to another process on a device, in bytes.
package struct SystemMemory: Equatable, Sendable {
  /// Bytes in pixel buffers.
  var pixelBuffers: UInt64 = 0
  /// Bytes elsewhere.
  var other: UInt64 = 0

  /// The sum, at most `UInt64.max`.
  package var byteCount: UInt64 {
    let (sum, isTooLarge) = pixelBuffers.addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
