import Platform

/// What the two kinds of ring file have in common, and at which offsets.
package struct RingKind: Sendable {
  let name: String
  let magic: UInt64
  let version: UInt32
  /// The bytes at the start that never change. A reader copies them once.
  let constantByteCount: Int
  /// The offset of the session's id. The start of the session and the process id follow.
  let session: Int
  let state: Int
  let dropped: Int

  package static let frames = RingKind(
    name: "a frame ring", magic: RingLayout.magic, version: RingLayout.version,
    constantByteCount: RingLayout.Header.latest, session: RingLayout.Header.session,
    state: RingLayout.Header.state, dropped: RingLayout.Header.framesDropped)
  package static let audio = RingKind(
    name: "an audio ring", magic: AudioRingLayout.magic, version: AudioRingLayout.version,
    constantByteCount: AudioRingLayout.Header.constantByteCount, session: AudioRingLayout.Header.session,
    state: AudioRingLayout.Header.state, dropped: AudioRingLayout.Header.packetsDropped)

  fileprivate func constants(of file: MappedFile) -> [UInt8] {
    file.withBytes { bytes in (0..<min(bytes.count, constantByteCount)).map { bytes[$0] } }
  }
}

extension FileError {
  package static func notARing(_ kind: RingKind, path: String) -> FileError {
    FileError(.notARing(kind.name), path)
  }

  package static func otherVersion(_ kind: RingKind, path: String, found: UInt32) -> FileError {
    FileError(.otherVersion(kind.name, found: found, reads: kind.version), path)
  }
}

/// A mapped ring file, and what both kinds have: for the writer, which creates it, and for readers.
@usableFromInline
struct RingFile {
  /// The size of the end mark in bytes; the file ends with it.
  static let endMarkByteCount = 8

  /// The path at which readers find it.
  let path: String
  @usableFromInline let file: MappedFile
  let session: RingSession
  let dropped: SharedAtomic
  private let stateWord: SharedAtomic
  /// The last word, which repeats the magic number. It reads as 0 once the file was cut anywhere: pages beyond the new end
  /// become zeros with the first access, and the kernel clears the rest of the last page, whatever its size.
  @usableFromInline let endMark: SharedAtomic
  @usableFromInline let magic: UInt64
  /// A copy of the bytes that never change. A reader uses only the copy: the file may change at any time.
  private let constants: [UInt8]

  /// Creates the file under a temporary name, live and complete but for what `fill` writes into the header.
  init(
    _ kind: RingKind, creatingFor path: String, byteCount: Int, session: RingSession,
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
    self.init(kind, file, path, kind.constants(of: file))
    endMark.storeRelaxed(magic)
    set(.live)
  }

  /// Maps the file at `path` for reading. Its magic number and version are checked.
  init(_ kind: RingKind, at path: String) throws(FileError) {
    let file: MappedFile
    do { file = try MappedFile(path: path) } catch {
      throw error.reason == .empty ? FileError(.damaged, path) : error
    }
    let constants = kind.constants(of: file)
    // Bytes that were cut off during the copy are zeros, which say nothing about the file.
    if file.isLost { throw FileError(.cutShort, path) }
    guard constants.count == kind.constantByteCount, constants.span.loadLittleEndian(at: 0) == kind.magic
    else { throw .notARing(kind, path: path) }
    let version: UInt32 = constants.span.loadLittleEndian(at: 8)
    guard version == kind.version else { throw .otherVersion(kind, path: path, found: version) }
    // A shorter file, or one of another size, has no place for the words.
    guard file.byteCount > RingLayout.Header.byteCount, file.byteCount % Self.endMarkByteCount == 0 else {
      throw FileError(.damaged, path)
    }
    self.init(kind, file, path, constants)
  }

  private init(_ kind: RingKind, _ file: MappedFile, _ path: String, _ constants: [UInt8]) {
    (self.file, self.path, self.constants, magic) = (file, path, constants, kind.magic)
    let numbers = constants.span
    session = RingSession(
      id: numbers.loadLittleEndian(at: kind.session),
      processID: numbers.loadLittleEndian(at: kind.session + 16),
      startTime: MonotonicTime(nanoseconds: numbers.loadLittleEndian(at: kind.session + 8)))
    endMark = SharedAtomic(at: file.byteCount - Self.endMarkByteCount, of: file)
    stateWord = SharedAtomic(at: kind.state, of: file)
    dropped = SharedAtomic(at: kind.dropped, of: file)
  }

  /// The number at an offset of the bytes that never change.
  subscript<Number: FixedWidthInteger & BitwiseCopyable>(offset: Int) -> Number {
    constants.span.loadLittleEndian(at: offset)
  }

  /// Whether the file has all its bytes.
  @inlinable
  var isIntact: Bool { endMark.loadRelaxed() == magic }

  /// The state of the session; `nil` if its number is unknown.
  var state: RingState? {
    // SYNC: acquire; the partner is the release store in `set`.
    RingState(rawValue: stateWord.loadAcquiring())
  }

  func set(_ value: RingState) {
    // SYNC: release; the partner is the acquire in `state`. A reader that sees the state sees what was written before it.
    stateWord.storeReleasing(value.rawValue)
  }
}
