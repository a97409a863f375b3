import CommandLineSupport
import Platform
import SharedMemory

/// The memory of an extension as iOS would count it against it.
public struct MemoryUse: Equatable, Sendable, CustomStringConvertible {
  /// Private memory that was written: what iOS counts as the footprint, in bytes.
  public var footprint: UInt64
  /// Mapped files, such as the shared frames: not counted by iOS, in bytes.
  public var mappedFiles: UInt64

  /// The footprint above which iOS ends an extension, in bytes.
  public static let budget: UInt64 = 50 << 20

  /// Memory of these two amounts, in bytes.
  public init(footprint: UInt64, mappedFiles: UInt64) {
    self.footprint = footprint
    self.mappedFiles = mappedFiles
  }

  /// What of a process' memory is the extension's, when so many bytes of it are the emulated system's.
  init(_ memory: ProcessMemory, system: UInt64 = 0) {
    footprint = memory.anonymous - min(system, memory.anonymous)
    mappedFiles = memory.resident - min(memory.anonymous, memory.resident)
  }

  /// One line for people, against a budget in bytes.
  public func text(of budget: UInt64) -> String {
    let share = (100 * Double(footprint) / Double(budget)).text(decimals: 0)
    let whose = budget == Self.budget ? "iOS allows" : "are allowed"
    return "\(Double(footprint).megabytesText) private (\(share) % of the \(Double(budget).megabytesText) "
      + "\(whose)), \(Double(mappedFiles).megabytesText) in mapped files"
  }

  /// One line for people, against what iOS allows.
  public var description: String { text(of: Self.budget) }
}
