import Platform

/// What the writers of both kinds of ring share: the session, and the present file.
public class RingWriter {
  private(set) final var ring: RingFile
  private(set) final var isFinished = false
  /// The number of pauses that have ended.
  private(set) final var pauses: UInt32 = 0
  private final var drops: UInt64 = 0

  /// Moves the complete file to its path, where it replaces another one.
  init(_ ring: RingFile) throws(FileError) {
    self.ring = ring
    try ring.file.moveIntoPlace(ring.path)
  }

  /// The path of the ring file.
  public final var path: String { ring.path }

  /// The run of the producer to which this ring belongs.
  public final var session: RingSession { ring.session }

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

  final func replaceFile(with next: RingFile) throws(FileError) {
    next.set(state)
    next.dropped.storeRelaxed(drops)
    try next.file.moveIntoPlace(path)
    // A reader that sees the state finds the new file at the path.
    ring.set(.replaced)
    ring = next
  }

  /// Marks the session as finished, for readers that have the file mapped, and removes the file.
  final func removeFile() throws(FileError) {
    isFinished = true
    ring.set(.finished)
    try ring.file.removeFromPlace(path)
  }
}
