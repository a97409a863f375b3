import Glibc

/// Notifications of changes in a folder, by Linux's inotify. Apple's platforms have `DISPATCH_SOURCE_TYPE_VNODE` for it.
package struct FolderNotifications: ~Copyable, Sendable {
  /// One change, or the report that some were lost.
  package struct Event {
    /// The name of the changed file in the folder; empty for the folder itself.
    package let name: String
    /// The watch of the folder, as ``FolderNotifications/watch(_:)`` returned it.
    package let watch: Int32
    fileprivate let mask: UInt32

    /// Whether bytes of a file changed.
    package var isWrite: Bool { mask & UInt32(IN_MODIFY) != 0 }
    /// Whether a descriptor was closed that could write.
    package var isEndOfWriting: Bool { mask & UInt32(IN_CLOSE_WRITE) != 0 }
    /// Whether a descriptor was closed that could only read.
    package var isEndOfReading: Bool { mask & UInt32(IN_CLOSE_NOWRITE) != 0 }
    package var isRemoval: Bool { mask & UInt32(IN_DELETE) != 0 }
    /// Whether changes were lost because too many happened.
    package var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    package var isMove: Bool { mask & UInt32(IN_MOVE_SELF) != 0 }
    /// Whether the watch has ended, because the folder was removed.
    package var isEnd: Bool { mask & UInt32(IN_IGNORED) != 0 }
  }

  package enum Interest {
    /// Files that were removed, and a rename of the folder.
    case removals
    /// Files that were created, written or removed.
    case changes
    /// Files that are written, and that are closed.
    case use

    fileprivate var mask: UInt32 {
      switch self {
      case .removals: UInt32(IN_DELETE | IN_MOVE_SELF | IN_ONLYDIR)
      case .use: UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_CLOSE_NOWRITE | IN_ONLYDIR)
      case .changes: UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE | IN_ONLYDIR)
      }
    }
  }

  private let file: FileDescriptor
  private let interest: Interest

  /// Notifications without a folder yet; see ``watch(_:)``. The corresponding C function is `inotify_init1`.
  package init(of interest: Interest, for path: String) throws(FileError) {
    self.interest = interest
    file = FileDescriptor(
      try System.retrying("inotify_init1", path) { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) },
      path: path)
  }

  /// The descriptor that becomes readable with a change.
  package var rawValue: Int32 { file.rawValue }

  /// Begins to watch an existing folder. The corresponding C function is `inotify_add_watch`.
  @discardableResult
  package func watch(_ folder: String) throws(FileError) -> Int32 {
    let (raw, mask) = (file.rawValue, interest.mask)
    // UNSAFE: the path is lent to the call as a C string.
    return try System.retrying("inotify_add_watch", folder) { unsafe inotify_add_watch(raw, folder, mask) }
  }

  /// Ends a watch. The corresponding C function is `inotify_rm_watch`.
  package func end(_ watch: Int32) {
    // It fails when the folder was removed, which ends the watch too.
    _ = inotify_rm_watch(file.rawValue, watch)
  }

  /// The changes since the last call, in their order.
  package func take() -> [Event] {
    var events: [Event] = []
    while true {
      let raw = file.rawValue
      // UNSAFE: the call initialises as many bytes as it says, and no more than the buffer has.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16384) { buffer, count in
        count = unsafe max(0, read(raw, buffer.baseAddress, buffer.count))
      }
      if bytes.isEmpty { return events }
      // Events of 16 bytes (watch, mask, cookie, length) and a name padded with zeros.
      var offset = 0
      while offset + 16 <= bytes.count {
        let mask = bytes.span.loadLittleEndian(at: offset + 4, as: UInt32.self)
        let length = Int(bytes.span.loadLittleEndian(at: offset + 12, as: UInt32.self))
        let padded = bytes[min(offset + 16, bytes.count)..<min(offset + 16 + length, bytes.count)]
        events.append(
          Event(
            name: String(decoding: padded.prefix { $0 != 0 }, as: UTF8.self),
            watch: bytes.span.loadLittleEndian(at: offset, as: Int32.self), mask: mask))
        offset += 16 + length
      }
    }
  }
}
