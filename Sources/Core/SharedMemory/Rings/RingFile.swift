import Platform

/// The layout of a kind of ring file: the name of the kind, and the offsets of the fields that each kind has.
protocol RingFileLayout {
  /// The kind in errors, such as `a frame ring`.
  static var name: String { get }
  static var magic: UInt64 { get }
  static var version: UInt32 { get }
  /// The bytes at the start that never change. A reader copies them once.
  static var constantByteCount: Int { get }
  /// The offset of the session's id. The start of the session and the process id follow.
  static var session: Int { get }
  static var state: Int { get }
  static var dropped: Int { get }
}

/// A ring that this process has open, as its writer or as a reader.
public protocol OpenRing: AnyObject {
  /// The mapped file.
  var ring: RingFile { get }
}

extension OpenRing {
  /// The path of the ring file.
  public var path: String { ring.path }

  /// The run of the producer to which this ring belongs.
  public var session: RingSession { ring.session }

  /// The state of the session; `nil` if its number is unknown.
  public var state: RingState? { ring.state }

  /// Whether the file at the path is still the one that is mapped.
  public func isCurrent() throws(FileError) -> Bool { try ring.file.isAt(path) == true }

  /// Whether another file is at the path.
  public func isReplaced() throws(FileError) -> Bool { try ring.file.isAt(path) == false }
}

/// A mapped ring file with the fields that both kinds have: for the writer, which creates it, and for readers.
public struct RingFile: Sendable {
  /// The size of the end mark in bytes; the file ends with it.
  static let endMarkByteCount = 8

  /// The path at which readers find it.
  let path: String
  @usableFromInline let file: MappedFile
  let session: RingSession
  private let dropped: SharedAtomic
  private let stateWord: SharedAtomic
  /// The last word, which repeats the magic number. It reads as 0 once the file was cut anywhere: pages beyond the new end
  /// become zeros with the first access, and the kernel clears the rest of the last page, whatever its size.
  @usableFromInline let endMark: SharedAtomic
  @usableFromInline let magic: UInt64
  /// A copy of the bytes that never change. A reader uses only the copy: the file may change at any time.
  private let constants: [UInt8]
  /// The state and the drops that the writer has set. A truncated file loses the words, and the next file continues with these.
  private var written = (state: RingState.live, drops: UInt64(0))

  /// Creates the file under a temporary name, live and complete but for what `fill` writes into the header.
  init(
    _ kind: any RingFileLayout.Type, creatingFor path: String, byteCount: Int, session: RingSession,
    _ fill: (inout MutableSpan<UInt8>) -> Void
  ) throws(FileError) {
    let file = try MappedFile(creatingFor: path, byteCount: byteCount)
    file.withMutableBytes(0..<kind.constantByteCount) { header in
      header.storeLittleEndian(kind.magic, at: 0)
      header.storeLittleEndian(kind.version, at: 8)
      header.storeLittleEndian(session.id, at: kind.session)
      header.storeLittleEndian(session.startTime.nanoseconds, at: kind.session + 8)
      header.storeLittleEndian(session.processID, at: kind.session + 16)
      fill(&header)
    }
    self.init(kind, file, path, Self.constants(of: file, kind))
    endMark.storeRelaxed(magic)
    set(.live)
  }

  /// Maps the file at `path` for reading. Its magic number and version are checked.
  init(_ kind: any RingFileLayout.Type, at path: String) throws(FileError) {
    let file: MappedFile
    do { file = try MappedFile(path: path) } catch {
      throw error.reason == .empty ? FileError(.damaged, path) : error
    }
    let constants = Self.constants(of: file, kind)
    // Bytes that were cut off during the copy are zeros, which say nothing about the file.
    if file.isLost { throw FileError(.cutShort, path) }
    guard constants.count == kind.constantByteCount, constants.span.loadLittleEndian(at: 0) == kind.magic
    else { throw FileError(.notARing(kind.name), path) }
    let version: UInt32 = constants.span.loadLittleEndian(at: 8)
    guard version == kind.version else {
      throw FileError(.otherVersion(kind.name, found: version, reads: kind.version), path)
    }
    // A shorter file, or one of another size, has no place for the words.
    guard file.byteCount > RingLayout.Header.byteCount, file.byteCount % Self.endMarkByteCount == 0 else {
      throw FileError(.damaged, path)
    }
    self.init(kind, file, path, constants)
  }

  private init(_ kind: any RingFileLayout.Type, _ file: MappedFile, _ path: String, _ constants: [UInt8]) {
    self.file = file
    self.path = path
    self.constants = constants
    magic = kind.magic
    let numbers = constants.span
    session = RingSession(
      id: numbers.loadLittleEndian(at: kind.session),
      processID: numbers.loadLittleEndian(at: kind.session + 16),
      startTime: MonotonicTime(nanoseconds: numbers.loadLittleEndian(at: kind.session + 8)))
    endMark = SharedAtomic(at: file.byteCount - Self.endMarkByteCount, of: file)
    stateWord = SharedAtomic(at: kind.state, of: file)
    dropped = SharedAtomic(at: kind.dropped, of: file)
  }

  private static func constants(of file: MappedFile, _ kind: any RingFileLayout.Type) -> [UInt8] {
    file.withBytes { bytes in (0..<min(bytes.count, kind.constantByteCount)).map { bytes[$0] } }
  }

  /// The number at an offset of the bytes that never change.
  subscript<Number: FixedWidthInteger & BitwiseCopyable>(offset: Int) -> Number {
    constants.span.loadLittleEndian(at: offset)
  }

  /// Populates all pages of a file whose header matches its size.
  func populate() throws(FileError) {
    file.populate()
    if !isIntact { throw FileError(.damaged, path) }
  }

  /// Whether the file has all its bytes.
  @inlinable
  var isIntact: Bool { endMark.loadRelaxed() == magic }

  @inlinable
  func checkForLoss() throws(FileError) {
    if !isIntact { throw fault }
  }

  /// The reason for contradictory numbers: a truncated file, or a damaged one.
  @usableFromInline
  var fault: FileError { FileError(isIntact ? .damaged : .cutShort, path) }

  /// The state of the session; `nil` if its number is unknown.
  var state: RingState? {
    // SYNC: acquire; the partner is the release store in `set`.
    RingState(rawValue: stateWord.loadAcquiring())
  }

  /// The number of frames or packets that reached the writer and could not be published.
  var dropCount: UInt64 { dropped.loadRelaxed() }
}

// For the writer.
extension RingFile {
  var isFinished: Bool { written.state == .finished }

  /// Whether readers see the session as paused. The end of the session is final.
  var isPaused: Bool {
    get { written.state == .paused }
    set { if !isFinished { set(newValue ? .paused : .live) } }
  }

  /// Counts frames or packets that arrived but could not be published.
  mutating func countDrop(_ count: UInt64) {
    written.drops += count
    dropped.storeRelaxed(written.drops)
  }

  /// Moves the complete file to its path, where it replaces another one.
  func moveIntoPlace() throws(FileError) { try file.moveIntoPlace(path) }

  /// Continues the session in the file `next`, which takes this one's place.
  mutating func move(to next: inout RingFile) throws(FileError) {
    next.set(written.state)
    next.countDrop(written.drops)
    try next.moveIntoPlace()
    // A reader that sees the state finds the new file at the path.
    set(.replaced)
  }

  /// Marks the session as finished, for readers that have the file mapped, and removes the file.
  mutating func finish() throws(FileError) {
    set(.finished)
    try file.removeFromPlace(path)
  }

  private mutating func set(_ value: RingState) {
    written.state = value
    // SYNC: release; the partner is the acquire in `state`. A reader that sees the state sees what was written before it.
    stateWord.storeReleasing(value.rawValue)
  }
}
