/// The memory of a process as Linux counts it, in bytes. By `/proc`, which Linux has.
///
/// ```swift
/// let mine = try ProcessMemory.of()
/// print(mine.anonymous)
/// ```
public struct ProcessMemory: Codable, Equatable, Sendable {
  /// What of its mappings is in memory.
  public var resident: UInt64 = 0
  /// What was written and is in no file, and in no memory made for sharing.
  ///
  /// `Private_Dirty` counts shared files too while no other process has them mapped, and so depends on who else runs.
  public var anonymous: UInt64 = 0
  /// What nobody else has mapped.
  public var alone: UInt64 = 0
  /// What another process has mapped too.
  public var shared: UInt64 = 0

  /// No memory.
  public init() {}

  /// The memory of a process, this one by default. Reading it takes the kernel some tenths of a millisecond.
  public static func of(_ pid: Int32? = nil) throws(StorageError) -> ProcessMemory {
    let path = ProcessFiles.path("smaps_rollup", of: pid)
    guard let memory = ProcessMemory(smapsRollup: try ProcessFiles.text(path)) else {
      throw .system(SystemError(call: "read", path: path, code: System.Code.noData))
    }
    return memory
  }

  /// What was written and is in no file, as `anonymous`, but told at once and with an error of up to
  /// ``roughErrorBytes``.
  public static func roughAnonymousBytes() throws(StorageError) -> UInt64 {
    let path = ProcessFiles.path("statm", of: nil)
    guard let bytes = roughAnonymousBytes(statm: try ProcessFiles.text(path)) else {
      throw .system(SystemError(call: "read", path: path, code: System.Code.noData))
    }
    return bytes
  }

  /// How wrong a rough number may be on this machine, to both sides: 2 MiB on a small one, 32 MiB with 64 processors.
  public static let roughErrorBytes = roughErrorBytes(
    processors: System.processorCount, pageSize: System.pageSize)

  /// The same for any machine.
  ///
  /// Each processor keeps back what it counted until that is as many pages as twice the processors, and at least 32
  /// (`percpu_counter_batch`). Before Linux 6.2 each thread kept back 64: 2 MiB are that of eight threads.
  static func roughErrorBytes(processors: Int, pageSize: Int) -> UInt64 {
    UInt64(max(2 << 20, processors * max(32, 2 * processors) * pageSize))
  }

  /// The rough number from Linux's text: pages in all, in memory, and of these in files or made for sharing.
  static func roughAnonymousBytes(statm text: String) -> UInt64? {
    let pages = text.split(whereSeparator: \.isWhitespace).prefix(3).compactMap { UInt64($0) }
    guard pages.count == 3 else { return nil }
    let (bytes, isTooLarge) = (pages[1] - min(pages[2], pages[1])).multipliedReportingOverflow(
      by: UInt64(System.pageSize))
    return isTooLarge ? nil : bytes
  }

  /// The memory that Linux's text of the sums of a process' mappings states.
  public init?(smapsRollup text: String) {
    var hasResident = false
    var hasAnonymous = false
    for line in text.split(separator: "\n") {
      guard let (title, bytes) = ProcessFiles.amount(line) else { continue }
      switch title {
      case "Rss:": (resident, hasResident) = (bytes, true)
      case "Anonymous:": (anonymous, hasAnonymous) = (bytes, true)
      case "Private_Clean:", "Private_Dirty:": alone &+= bytes
      case "Shared_Clean:", "Shared_Dirty:": shared &+= bytes
      default: break
      }
    }
    guard hasResident, hasAnonymous else { return nil }
  }
}
