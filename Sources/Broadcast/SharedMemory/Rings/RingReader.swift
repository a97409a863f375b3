import Platform

/// What the readers of both kinds of ring share: the file, mapped read-only, and its session.
public class RingReader {
  /// The path of the ring file.
  public final let path: String
  /// The run of the producer to which this ring belongs.
  public final let session: RingSession
  @usableFromInline
  final let file: MappedFile
  @usableFromInline
  final let endMark: EndMark
  private final let stateWord: SharedAtomic

  /// Takes over a ring whose header matches the size of its file.
  init(_ ring: OpenedRing) throws(RingError) {
    path = ring.file.path
    session = ring.session
    file = ring.file
    endMark = EndMark(of: file, ring.kind)
    stateWord = SharedAtomic(at: ring.kind.header.state, of: file)
    file.populate()
    if !endMark.isPresent { throw .damaged(path: path) }
  }

  /// The state of the session; `nil` if its number is unknown.
  public final var state: RingState? {
    // SYNC: acquire; the partner is the release store in RingFile.set.
    RingState(rawValue: stateWord.loadAcquiring())
  }

  /// Whether the file at the path is still the one this reader has mapped.
  public final func isCurrent() throws(RingError) -> Bool {
    do { return try file.isAt(path) == true } catch { throw .storage(error) }
  }

  /// Whether another file is at the path.
  public final func isReplaced() throws(RingError) -> Bool {
    do { return try file.isAt(path) == false } catch { throw .storage(error) }
  }

  /// Throws if the file was truncated.
  @inlinable
  final func checkForLoss() throws(RingError) {
    if !endMark.isPresent { throw fault }
  }

  /// The reason for contradictory numbers: a truncated file, or a damaged one.
  @usableFromInline
  final var fault: RingError {
    endMark.isPresent ? .damaged(path: path) : .lost(path: path)
  }
}

/// A ring file that was mapped for reading, and a copy of its header, whose magic number and version are checked. Only
/// the copy is used: the file may change at any time.
struct OpenedRing {
  let kind: RingKind
  let file: MappedFile
  private let header: [UInt8]

  init(_ kind: RingKind, at path: String, forSharing: Bool = false) throws(RingError) {
    self.kind = kind
    do { file = try forSharing ? MappedFile(sharingPath: path) : MappedFile(path: path) } catch {
      if case .empty = error { throw .damaged(path: path) }
      throw .storage(error)
    }
    header = file.withBytes { bytes in (0..<min(bytes.count, kind.header.constantByteCount)).map { bytes[$0] }
    }
    // Bytes that were cut off during the copy are zeros, which say nothing about the file.
    if file.isLost { throw .lost(path: path) }
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
