import Platform

/// What the writers of both kinds of ring share: the session, and the present file.
public class RingWriter {
  /// The path of the ring file.
  public final let path: String
  /// The run of the producer to which this ring belongs.
  public final let session: RingSession
  private(set) final var ring: RingFile
  private(set) final var isFinished = false
  /// The number of pauses that have ended.
  private(set) final var pauses: UInt32 = 0
  private final var drops: UInt64 = 0

  /// Moves the complete file to `path`, where it replaces another one.
  init(path: String, session: RingSession, ring: RingFile) throws(RingError) {
    self.path = path
    self.session = session
    self.ring = ring
    do { try ring.file.moveIntoPlace(path) } catch { throw .storage(error) }
  }

  /// Whether readers see the session as paused.
  public final var isPaused: Bool = false {
    didSet {
      if oldValue, !isPaused { pauses &+= 1 }
      if !isFinished { ring.set(state) }
    }
  }

  private final var state: RingState { isPaused ? .paused : .live }

  /// Counts frames or packets that arrived but could not be published.
  public final func countDrop(_ count: UInt64 = 1) {
    drops += count
    ring.dropped.storeRelaxed(drops)
  }

  final func replaceFile(with next: RingFile) throws(RingError) {
    next.set(state)
    next.dropped.storeRelaxed(drops)
    do { try next.file.moveIntoPlace(path) } catch { throw .storage(error) }
    // A reader that sees the state finds the new file at the path.
    ring.set(.replaced)
    ring = next
  }

  /// Marks the session as finished, for readers that have the file mapped, and removes the file.
  final func removeFile() throws(StorageError) {
    isFinished = true
    ring.set(.finished)
    try ring.file.removeFromPlace(path)
  }
}

/// A ring file, mapped for writing, and the words that both kinds have.
struct RingFile {
  let file: MappedFile
  let dropped: SharedAtomic
  private let endMark: EndMark
  private let state: SharedAtomic

  /// Creates the file under a temporary name, live and complete but for what `fill` writes into the header.
  init(
    _ kind: RingKind, for path: String, byteCount: Int, session: RingSession,
    _ fill: (inout MutableSpan<UInt8>) -> Void
  ) throws(RingError) {
    let fields = kind.header
    do { file = try MappedFile(creatingFor: path, byteCount: byteCount) } catch { throw .storage(error) }
    endMark = EndMark(of: file, kind)
    state = SharedAtomic(at: fields.state, of: file)
    dropped = SharedAtomic(at: fields.dropped, of: file)
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

  /// Whether the file has all its bytes.
  var isIntact: Bool { endMark.isPresent }

  func set(_ value: RingState) {
    // SYNC: release; the partner is the acquire in RingReader.state. A reader that sees the state sees what was
    // written before it.
    state.storeReleasing(value.rawValue)
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
