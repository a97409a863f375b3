import Platform

/// The layout of a kind of ring file: its name, and the offsets of the fields that all kinds have.
protocol RingFileLayout {
  /// The name of the kind in errors, such as `a frame ring`.
  static var name: String { get }
  static var magic: UInt64 { get }
  static var version: UInt32 { get }
  /// The size of the constant bytes at the start. A reader copies them once.
  static var constantByteCount: Int { get }
  /// The offset of the session's ID. The start time of the session and the process ID follow it.
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

  /// The session of the producer to which this ring belongs.
  public var session: RingSession { ring.session }

  /// The state of the session; `nil` if its number is unknown.
  public var state: RingState? { ring.state }

  /// Whether the mapped file is still the file at the path.
  public func isCurrent() throws(FileError) -> Bool { try ring.file.isAt(path) == true }

  /// Whether another file is at the path.
  public func isReplaced() throws(FileError) -> Bool { try ring.file.isAt(path) == false }
}

/// A mapped ring file with the fields that all kinds have. The writer creates it; readers open it.
public struct RingFile: Sendable {
  /// The size of the end mark in bytes. The file ends with it.
  static let endMarkByteCount = 8

  /// The path of the file for readers.
  let path: String
  @usableFromInline let file: MappedFile
  let session: RingSession
  private let dropped: SharedAtomic
  private let stateWord: SharedAtomic
  /// The last word, which repeats the magic number. It reads as 0 if the file was truncated anywhere: pages beyond the new end
  /// become zeros at the first access, and the kernel clears the rest of the last page, whatever its size.
  @usableFromInline let endMark: SharedAtomic
  @usableFromInline let magic: UInt64
  /// A copy of the constant bytes. A reader uses only the copy, because the file may change at any time.
  private let constants: [UInt8]
  /// The state and the drop count set by the writer. A truncated file loses these words, and the next file continues with the
  /// copy.
  private var written = (state: RingState.live, drops: UInt64(0))

  /// Creates the file under a temporary name. The file is then live and complete.
  ///
  /// - Parameter fill: writes the header fields that only this kind of ring has.
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

  /// Maps the file at `path` for reading, and checks its magic number and version.
  init(_ kind: any RingFileLayout.Type, at path: String) throws(FileError) {
    let file: MappedFile
    do { file = try MappedFile(path: path) } catch {
      throw error.reason == .empty ? FileError(.damaged, path) : error
    }
    let constants = Self.constants(of: file, kind)
    // If the file was truncated during the copy, the zeros say nothing about it.
    if file.isLost { throw FileError(.cutShort, path) }
    guard constants.count == kind.constantByteCount, constants.span.loadLittleEndian(at: 0) == kind.magic
    else { throw FileError(.notARing(kind.name), path) }
    let version: UInt32 = constants.span.loadLittleEndian(at: 8)
    guard version == kind.version else {
      throw FileError(.otherVersion(kind.name, found: version, reads: kind.version), path)
    }
    // Too short for the words, or not a multiple of their size.
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

  /// The number at an offset within the constant bytes.
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

  /// The reason for contradictory numbers: the file is truncated or damaged.
  @usableFromInline
  var fault: FileError { FileError(isIntact ? .damaged : .cutShort, path) }

  /// The state of the session; `nil` if its number is unknown.
  var state: RingState? {
    // SYNC: acquire; the partner is the release store in `set`.
    RingState(rawValue: stateWord.loadAcquiring())
  }

  /// The number of frames or packets that reached the writer but could not be published.
  var dropCount: UInt64 { dropped.loadRelaxed() }
}

// For the writer.
extension RingFile {
  var isFinished: Bool { written.state == .finished }

  /// Whether readers see the session as paused. Has no effect after the end of the session.
  var isPaused: Bool {
    get { written.state == .paused }
    set { if !isFinished { set(newValue ? .paused : .live) } }
  }

  /// Counts frames or packets that arrived but could not be published.
  mutating func countDrop(_ count: UInt64) {
    written.drops += count
    dropped.storeRelaxed(written.drops)
  }

  /// Moves the complete file to its path, replacing any file there.
  func moveIntoPlace() throws(FileError) { try file.moveIntoPlace(path) }

  /// Replaces this file by `next`, in which the session continues.
  mutating func move(to next: inout RingFile) throws(FileError) {
    next.set(written.state)
    next.countDrop(written.drops)
    try next.moveIntoPlace()
    // A reader that sees this state finds the new file at the path.
    set(.replaced)
  }

  /// Marks the session as finished for readers that have the file mapped, and removes the file.
  mutating func finish() throws(FileError) {
    set(.finished)
    try file.removeFromPlace(path)
  }

  private mutating func set(_ value: RingState) {
    written.state = value
    // SYNC: release; the partner is the acquire in `state`. A reader that sees the state also sees everything written before it.
    stateWord.storeReleasing(value.rawValue)
  }
}
