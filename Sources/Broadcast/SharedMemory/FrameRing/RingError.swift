import Platform

/// Why a ring cannot be opened or read.
public enum RingError: Error, Equatable, Sendable {
  /// The file itself cannot be used.
  case storage(StorageError)
  /// The file is no ring at all.
  case notARing(path: String)
  /// The file is a ring of another version of this format.
  case otherVersion(path: String, found: UInt32)
  /// The file is no audio ring.
  case notAnAudioRing(path: String)
  /// The file is an audio ring of another version of this format.
  case otherAudioVersion(path: String, found: UInt32)
  /// The file says it is a ring, but its header contradicts its size or itself.
  case damaged(path: String)
  /// The file was cut short while it was open.
  case lost(path: String)
  /// As many readers as there can be lease or wait already.
  case tooManyReaders(path: String)
  /// A frame is larger than any slot may be.
  case frameTooLarge(byteCount: Int)
}

extension RingError: CustomStringConvertible {
  /// One sentence: what is wrong with which file, and the way out.
  public var description: String {
    switch self {
    case .storage(let error): error.description
    case .notARing(let path):
      "\(path) is not a frame ring; remove it and start the producer again"
    case .otherVersion(let path, let found):
      "\(path) is a frame ring of version \(found), and this program reads version \(RingLayout.version); "
        + "run producer and consumer from the same build"
    case .notAnAudioRing(let path):
      "\(path) is not an audio ring; remove it and start the producer again"
    case .otherAudioVersion(let path, let found):
      "\(path) is an audio ring of version \(found), and this program reads version \(AudioRingLayout.version); "
        + "run producer and consumer from the same build"
    case .damaged(let path):
      "\(path) has a damaged header or was cut short; remove it and start the producer again"
    case .lost(let path):
      "\(path) was cut short while it was open; a running producer makes a new one with its next frame"
    case .tooManyReaders(let path):
      "\(path) has \(RingLayout.Readers.capacity) readers that lease or wait, which is all there can be; end one, "
        + "or poll instead"
    case .frameTooLarge(let byteCount):
      "a frame of \(byteCount) bytes is larger than the \(RingLayout.maximumPayload) bytes a slot may have"
    }
  }
}

extension RingError: CodedError {
  /// The nearest `errno`: of the file, or "invalid" for what is in it.
  public var code: Int32 {
    if case .storage(let error) = self { error.code } else { System.Code.invalid }
  }
}
