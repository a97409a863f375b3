import CommandLineSupport
import EmulatedDevice
import PhoneLink
import Platform
import Synchronization

/// Measures the memory of the extension, in a process that also holds memory of the emulated system.
///
/// ```swift
/// let memory = ExtensionMemory(system: content.systemMemory)
/// print(try memory.use())
/// ```
package struct ExtensionMemory: Sendable {
  /// Returns the memory of the emulated system in this process; called on any thread.
  let system: @Sendable () -> SystemMemory

  package init(system: @escaping @Sendable () -> SystemMemory = { SystemMemory() }) {
    self.system = {
      var memory = system()
      memory.other += UInt64(SocketProxy.shared(for: .current).memory)
      return memory
    }
  }

  /// Returns the exact memory use. The kernel adds up all mappings, which takes about a millisecond.
  package func use(limit: UInt64? = nil) throws(FileError) -> ReportedMemory {
    ReportedMemory(try ProcessMemory.measure(), system: system().byteCount, limit: limit)
  }

  /// The approximate footprint in bytes (error up to `ProcessMemory.roughErrorBytes`), from counters that cost microseconds
  /// to read.
  func roughFootprint() throws(FileError) -> UInt64 {
    try ProcessMemory.roughAnonymousBytes().minus(system().byteCount)
  }

  /// Uses this as the answer to the extension's own queries: `os_proc_available_memory` and `task_info`.
  package func answerQuestions(limit: UInt64?) {
    ReportedMemory.install { () throws(FileError) in try use(limit: limit) }
  }

  private static let leakedBlocks = Mutex<[[UInt8]]>([])

  static var allocatedByteCount: Int { leakedBlocks.withLock { $0.reduce(0) { $0 + $1.count } } }

  /// Allocates, writes and keeps `byteCount` bytes, as a leaking handler does.
  static func allocate(_ byteCount: Int) {
    // Allocate in blocks of 1 MiB, so that the limit applies while the memory grows, as on a device.
    for start in stride(from: 0, to: byteCount, by: 1 << 20) {
      let block = [UInt8](repeating: 0xAA, count: min(byteCount - start, 1 << 20))
      leakedBlocks.withLock { $0.append(block) }
    }
  }
}

extension ReportedMemory {
  /// Returns one line for people, with a budget in bytes.
  package func text(of budget: UInt64) -> String {
    let share = (100 * Double(footprint) / Double(budget)).text(decimals: 0)
    let limit =
      Double(budget).mebibytesText + (budget == Device.usualMemoryLimit ? " iOS allows" : " allowed")
    return "\(Double(footprint).mebibytesText) private (\(share) % of the \(limit)), "
      + "\(Double(mappedFiles).mebibytesText) in mapped files"
  }
}

/// Private memory in the extension's process that on a device belongs to another process, in bytes.
package struct SystemMemory: Equatable, Sendable {
  var pixelBuffers: UInt64 = 0
  var other: UInt64 = 0

  var byteCount: UInt64 { pixelBuffers + other }

  package func adding(_ count: Int) -> SystemMemory {
    SystemMemory(pixelBuffers: pixelBuffers, other: other + UInt64(count))
  }
}

extension UInt64 {
  /// Returns the difference; 0 if `other` is larger, because the kernel's counters are not read at the same moment.
  func minus(_ other: UInt64) -> UInt64 { self - Swift.min(self, other) }
}
