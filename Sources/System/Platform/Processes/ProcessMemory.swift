/// The memory of a process in bytes, from `/proc`.
///
/// ```swift
/// let mine = try ProcessMemory.of()
/// print(mine.anonymous)
/// ```
public struct ProcessMemory: Codable, Equatable, Sendable {
  /// The resident bytes of its mappings.
  public var resident: UInt64 = 0
  /// The bytes that were written and belong to no file and no shared memory.
  ///
  /// `Private_Dirty` counts shared files too while no other process maps them, and so depends on other processes.
  public var anonymous: UInt64 = 0

  /// All zeros.
  public init() {}

  /// The memory of a process, this one by default. The kernel needs some tenths of a millisecond for it.
  public static func of(_ pid: Int32? = nil) throws(FileError) -> ProcessMemory {
    let path = ProcessFiles.path("smaps_rollup", of: pid)
    guard let memory = ProcessMemory(smapsRollup: try ProcessFiles.text(path)) else {
      throw FileError(.call("read", .noData), path)
    }
    return memory
  }

  /// As `anonymous`, but available at once and with an error of up to ``roughErrorBytes``.
  public static func roughAnonymousBytes() throws(FileError) -> UInt64 {
    let path = ProcessFiles.path("statm", of: nil)
    guard let bytes = roughAnonymousBytes(statm: try ProcessFiles.text(path)) else {
      throw FileError(.call("read", .noData), path)
    }
    return bytes
  }

  /// The largest error of a rough number on this machine, in both directions: 2 MiB on a small one, 32 MiB with 64
  /// processors.
  public static let roughErrorBytes = roughErrorBytes(
    processors: System.processorCount, pageSize: System.pageSize)

  /// The largest error for any machine.
  ///
  /// Each processor delays the count of up to twice as many pages as there are processors, at least 32
  /// (`percpu_counter_batch`). Before Linux 6.2 each thread delayed 64 pages: 2 MiB for eight threads.
  static func roughErrorBytes(processors: Int, pageSize: Int) -> UInt64 {
    UInt64(max(2 << 20, processors * max(32, 2 * processors) * pageSize))
  }

  /// The rough number from the text of `statm`: all pages, resident pages, and resident pages of files or shared memory.
  static func roughAnonymousBytes(statm text: String) -> UInt64? {
    let pages = text.split(whereSeparator: \.isWhitespace).prefix(3).compactMap { UInt64($0) }
    guard pages.count == 3 else { return nil }
    let (bytes, isTooLarge) = (pages[1] - min(pages[2], pages[1])).multipliedReportingOverflow(
      by: UInt64(System.pageSize))
    return isTooLarge ? nil : bytes
  }

  /// The memory in the text of `smaps_rollup`.
  public init?(smapsRollup text: String) {
    var hasResident = false
    var hasAnonymous = false
    for line in text.split(separator: "\n") {
      guard let (title, bytes) = ProcessFiles.amount(line) else { continue }
      switch title {
      case "Rss:": (resident, hasResident) = (bytes, true)
      case "Anonymous:": (anonymous, hasAnonymous) = (bytes, true)
      default: break
      }
    }
    guard hasResident, hasAnonymous else { return nil }
  }
}
