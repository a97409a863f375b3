import Platform

/// The two kinds of ring file.
public enum RingKind: Sendable {
  /// The frames of the screen.
  case frames
  /// One stream of audio.
  case audio

  /// What the headers of both kinds share, and at which offsets.
  var header: Header { self == .frames ? .frames : .audio }

  struct Header {
    let name: String
    let magic: UInt64
    let version: UInt32
    /// The bytes that never change. A reader copies them once.
    let constantByteCount: Int
    /// The offset of the session's id. The start of the session and the process id follow.
    let session: Int
    let state: Int
    let dropped: Int

    static let frames = Header(
      name: "a frame ring", magic: RingLayout.magic, version: RingLayout.version,
      constantByteCount: RingLayout.Header.latest, session: RingLayout.Header.session,
      state: RingLayout.Header.state, dropped: RingLayout.Header.framesDropped)
    static let audio = Header(
      name: "an audio ring", magic: AudioRingLayout.magic, version: AudioRingLayout.version,
      constantByteCount: AudioRingLayout.Header.constantByteCount, session: AudioRingLayout.Header.session,
      state: AudioRingLayout.Header.state, dropped: AudioRingLayout.Header.packetsDropped)
  }
}

extension FileError {
  package static func notARing(_ kind: RingKind, path: String) -> FileError {
    FileError(.notARing(kind.header.name), path)
  }

  package static func otherVersion(_ kind: RingKind, path: String, found: UInt32) -> FileError {
    FileError(.otherVersion(kind.header.name, found: found, reads: kind.header.version), path)
  }
}

/// A mapped ring file, and the words that both kinds have: for the writer, which creates it, and for readers.
struct RingFile {
  let file: MappedFile
  let dropped: SharedAtomic
  let endMark: EndMark
  private let stateWord: SharedAtomic

  /// Creates the file under a temporary name, live and complete but for what `fill` writes into the header.
  init(
    _ kind: RingKind, for path: String, byteCount: Int, session: RingSession,
    _ fill: (inout MutableSpan<UInt8>) -> Void
  ) throws(FileError) {
    let fields = kind.header
    try self.init(kind, MappedFile(creatingFor: path, byteCount: byteCount))
    file.withMutableBytes(0..<fields.constantByteCount) { header in
      header.storeLittleEndian(fields.magic, at: 0)
      header.storeLittleEndian(fields.version, at: 8)
      header.storeLittleEndian(session.id, at: fields.session)
      header.storeLittleEndian(session.startTime.nanoseconds, at: fields.session + 8)
      header.storeLittleEndian(session.processID, at: fields.session + 16)
      fill(&header)
    }
    endMark.set()
    set(.live)
  }

  /// Takes over a file whose size is that of a ring.
  init(_ kind: RingKind, _ file: MappedFile) {
    self.file = file
    endMark = EndMark(of: file, kind)
    stateWord = SharedAtomic(at: kind.header.state, of: file)
    dropped = SharedAtomic(at: kind.header.dropped, of: file)
  }

  /// Whether the file has all its bytes.
  var isIntact: Bool { endMark.isPresent }

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

/// A copy of the header of a ring file that was mapped for reading. Its magic number and version are checked. Only the copy
/// is used: the file may change at any time.
struct RingHeader {
  let kind: RingKind
  let file: MappedFile
  private let header: [UInt8]

  init(_ kind: RingKind, at path: String) throws(FileError) {
    self.kind = kind
    do { file = try MappedFile(path: path) } catch {
      throw error.reason == .empty ? FileError(.damaged, path) : error
    }
    header = file.withBytes { bytes in (0..<min(bytes.count, kind.header.constantByteCount)).map { bytes[$0] }
    }
    // Bytes that were cut off during the copy are zeros, which say nothing about the file.
    if file.isLost { throw FileError(.cutShort, path) }
    guard header.count == kind.header.constantByteCount, self[0] == kind.header.magic else {
      throw .notARing(kind, path: path)
    }
    let version: UInt32 = self[8]
    guard version == kind.header.version else { throw .otherVersion(kind, path: path, found: version) }
  }

  /// The number at an offset of the header.
  subscript<Number: FixedWidthInteger & BitwiseCopyable>(offset: Int) -> Number {
    header.span.loadLittleEndian(at: offset)
  }

  var session: RingSession {
    RingSession(
      id: self[kind.header.session], processID: self[kind.header.session + 16],
      startTime: MonotonicTime(nanoseconds: self[kind.header.session + 8]))
  }
}

/// The last word of a ring's file, which repeats the magic number. It reads as 0 once the file was cut anywhere: pages beyond
/// the new end become zeros with the first access, and the kernel clears the rest of the last page, whatever its size.
@usableFromInline
struct EndMark: Sendable {
  /// The size in bytes; the file ends with it.
  static let byteCount = 8

  @usableFromInline let word: SharedAtomic
  @usableFromInline let magic: UInt64

  /// The mark of `file`, which must outlive it.
  init(of file: MappedFile, _ kind: RingKind) {
    word = SharedAtomic(at: file.byteCount - Self.byteCount, of: file)
    magic = kind.header.magic
  }

  /// Writes the mark into a new file.
  func set() { word.storeRelaxed(magic) }

  /// Whether the file has all its bytes.
  @inlinable
  var isPresent: Bool { word.loadRelaxed() == magic }
}
