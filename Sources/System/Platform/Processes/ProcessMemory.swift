/// The memory usage of a process in bytes, read from `/proc`.
///
/// ```swift
/// let mine = try ProcessMemory.measure()
/// print(mine.anonymous)
/// ```
public struct ProcessMemory: Codable, Equatable, Sendable {
  /// The resident bytes of all mappings.
  public var resident: UInt64 = 0
  /// The bytes that were written and belong neither to a file nor to shared memory.
  ///
  /// `Private_Dirty` is not used: it counts shared files too while no other process maps them, so it depends on other processes.
  public var anonymous: UInt64 = 0

  /// Creates a measurement of zeros.
  public init() {}

  /// Measures a process (default: this one). The kernel needs some tenths of a millisecond for it.
  public static func measure(pid: Int32? = nil) throws(FileError) -> ProcessMemory {
    try read("smaps_rollup", of: pid, ProcessMemory.init(smapsRollup:))
  }

  /// Returns ``anonymous`` with an error of up to ``roughErrorBytes``, but without the kernel's walk over all mappings.
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

  /// The maximum error of a rough number on this host, in both directions (2 MiB on a small host, 32 MiB with 64 CPUs).
  public static let roughErrorBytes = roughErrorBytes(
    processors: System.processorCount, pageSize: System.pageSize)

  /// The maximum error on a host with `processors` CPUs.
  ///
  /// Each CPU delays counting up to twice as many pages as there are CPUs, and at least 32 (`percpu_counter_batch`). Before Linux
  /// 6.2 each thread delayed 64 pages (2 MiB for eight threads).
  static func roughErrorBytes(processors: Int, pageSize: Int) -> UInt64 {
    UInt64(max(2 << 20, processors * max(32, 2 * processors) * pageSize))
  }

  /// Parses `statm`, which begins with the numbers of all pages, resident pages, and resident pages of files or shared memory.
  static func roughAnonymousBytes(statm text: String) -> UInt64? {
    let pages = text.split(whereSeparator: \.isWhitespace).prefix(3).compactMap { UInt64($0) }
    guard pages.count == 3 else { return nil }
    let (bytes, isTooLarge) = (pages[1] - min(pages[2], pages[1])).multipliedReportingOverflow(
      by: UInt64(System.pageSize))
    return isTooLarge ? nil : bytes
  }

  /// Parses `smaps_rollup`; `nil` if a number is missing.
  public init?(smapsRollup text: String) {
    let amounts = text.split(separator: "\n").compactMap(ProcessFiles.amount)
    guard let resident = amounts.last(where: { $0.title == "Rss:" }),
      let anonymous = amounts.last(where: { $0.title == "Anonymous:" })
    else { return nil }
    self.resident = resident.bytes
    self.anonymous = anonymous.bytes
  }
}
