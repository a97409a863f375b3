import Platform

/// Why a ring cannot be opened, read or written.
public enum RingError: Error, Equatable, Sendable {
  /// The file cannot be opened, created or mapped.
  case storage(StorageError)
  /// The file does not begin with the magic number of this kind of ring.
  case notARing(RingKind, path: String)
  /// The file is a ring of another version of its format.
  case otherVersion(RingKind, path: String, found: UInt32)
  /// The file is a ring, but its numbers contradict its size or each other.
  case damaged(path: String)
  /// The file was truncated while it was mapped.
  case lost(path: String)
  /// A frame is larger than any slot may be.
  case frameTooLarge(byteCount: Int)
}

extension RingError: CodedError {
  /// One sentence: what is wrong with which file, and what to do.
  public var description: String {
    switch self {
    case .storage(let error): error.description
    case .notARing(let kind, let path):
      "\(path) is not \(kind.header.name); remove it and start the producer again"
    case .otherVersion(let kind, let path, let found):
      "\(path) is \(kind.header.name) of version \(found), and this program reads version \(kind.header.version); "
        + "run producer and consumer from the same build"
    case .damaged(let path):
      "\(path) has a damaged header or was cut short; remove it and start the producer again"
    case .lost(let path):
      "\(path) was cut short while it was open; a running producer makes a new one with its next frame"
    case .frameTooLarge(let byteCount):
      "a frame of \(byteCount) bytes is larger than the \(RingLayout.maximumPayload) bytes a slot may have"
    }
  }

  /// The `errno` of the file, or `EINVAL` for a fault of its content.
  public var code: Int32 {
    if case .storage(let error) = self { error.code } else { Errno.invalidArgument.rawValue }
  }
}
