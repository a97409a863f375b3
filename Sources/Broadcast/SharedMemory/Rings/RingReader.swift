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
  final let ring: RingFile

  /// Takes over a ring whose header matches the size of its file.
  init(_ header: RingHeader) throws(FileError) {
    file = header.file
    path = file.path
    session = header.session
    ring = RingFile(header.kind, file)
    endMark = ring.endMark
    file.populate()
    if !endMark.isPresent { throw FileError(.damaged, path) }
  }

  /// The state of the session; `nil` if its number is unknown.
  public final var state: RingState? { ring.state }

  /// Whether the file at the path is still the one this reader has mapped.
  public final func isCurrent() throws(FileError) -> Bool {
    try file.isAt(path) == true
  }

  /// Whether another file is at the path.
  public final func isReplaced() throws(FileError) -> Bool {
    try file.isAt(path) == false
  }

  /// Throws if the file was truncated.
  @inlinable
  final func checkForLoss() throws(FileError) {
    if !endMark.isPresent { throw FileError(.cutShort, path) }
  }

  /// The reason for contradictory numbers: a truncated file, or a damaged one.
  @usableFromInline
  final var fault: FileError {
    FileError(endMark.isPresent ? .damaged : .cutShort, path)
  }
}
