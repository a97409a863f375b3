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
    try read("smaps_rollup", of: pid, ProcessMemory.init(smapsRollup:))
  }

  /// As `anonymous`, but available at once and with an error of up to ``roughErrorBytes``.
  public static func roughAnonymousBytes() throws(FileError) -> UInt64 {
    try read("statm", of: nil, roughAnonymousBytes(statm:))
  }

  private static func read<Value>(
    _ name: String, of pid: Int32?, _ parse: (String) -> Value?
  ) throws(FileError) -> Value {
    let path = ProcessFiles.path(name, of: pid)
    guard let value = parse(try ProcessFiles.text(path)) else {
      throw FileError(.call("read", .noData), path)
    }
    return value
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
    let amounts = text.split(separator: "\n").compactMap(ProcessFiles.amount)
    guard let resident = amounts.last(where: { $0.title == "Rss:" }),
      let anonymous = amounts.last(where: { $0.title == "Anonymous:" })
    else { return nil }
    self.resident = resident.bytes
    self.anonymous = anonymous.bytes
  }
}
