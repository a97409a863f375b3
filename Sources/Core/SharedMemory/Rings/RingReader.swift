import Platform

/// What the readers of both kinds of ring share: the file, mapped read-only, and its session.
public class RingReader {
  @usableFromInline
  final let ring: RingFile

  /// Takes over a ring whose header matches the size of its file.
  init(_ ring: RingFile) throws(FileError) {
    self.ring = ring
    ring.file.populate()
    if !ring.isIntact { throw FileError(.damaged, ring.path) }
  }

  /// The path of the ring file.
  public final var path: String { ring.path }

  /// The run of the producer to which this ring belongs.
  public final var session: RingSession { ring.session }

  /// The state of the session; `nil` if its number is unknown.
  public final var state: RingState? { ring.state }

  /// Whether the file at the path is still the one this reader has mapped.
  public final func isCurrent() throws(FileError) -> Bool { try ring.file.isAt(path) == true }

  /// Whether another file is at the path.
  public final func isReplaced() throws(FileError) -> Bool { try ring.file.isAt(path) == false }

  @inlinable
  final func checkForLoss() throws(FileError) {
    if !ring.isIntact { throw fault }
  }

  /// The reason for contradictory numbers: a truncated file, or a damaged one.
  @usableFromInline
  final var fault: FileError { FileError(ring.isIntact ? .damaged : .cutShort, path) }
}
