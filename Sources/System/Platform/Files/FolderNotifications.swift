import Glibc

/// Notifications about changes in a folder, by Linux's inotify. On Apple's platforms, `DISPATCH_SOURCE_TYPE_VNODE` does this.
package struct FolderNotifications: ~Copyable, Sendable {
  /// A change, or the report that changes were lost.
  package struct Event {
    /// The name of the changed file within the folder; empty for the folder itself.
    package let name: String
    /// The ID of the folder's watch, as returned by ``FolderNotifications/watch(_:)``.
    package let watch: Int32
    fileprivate let mask: UInt32

    /// Whether a file was written to.
    package var isWrite: Bool { mask & UInt32(IN_MODIFY) != 0 }
    /// Whether a writable descriptor was closed.
    package var isEndOfWriting: Bool { mask & UInt32(IN_CLOSE_WRITE) != 0 }
    /// Whether a read-only descriptor was closed.
    package var isEndOfReading: Bool { mask & UInt32(IN_CLOSE_NOWRITE) != 0 }
    package var isRemoval: Bool { mask & UInt32(IN_DELETE) != 0 }
    /// Whether changes were lost because the kernel's queue was full.
    package var isOverflow: Bool { mask & UInt32(IN_Q_OVERFLOW) != 0 }
    package var isMove: Bool { mask & UInt32(IN_MOVE_SELF) != 0 }
    /// Whether the watch has ended, because its folder was removed or ``FolderNotifications/end(_:)`` was called.
    package var isEnd: Bool { mask & UInt32(IN_IGNORED) != 0 }
  }

  package enum Interest {
    /// Removals of files, and a rename of the folder.
    case removals
    /// Files that were moved here, closed after writing, or removed.
    case changes
    /// Writes to files, and closed files.
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

  /// Creates notifications that watch no folder yet (see ``watch(_:)``). Wraps `inotify_init1(2)`.
  package init(of interest: Interest, for path: String) throws(FileError) {
    self.interest = interest
    file = FileDescriptor(
      try System.retrying("inotify_init1", path) { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) },
      path: path)
  }

  /// The descriptor. It becomes readable when a change happens.
  package var rawValue: Int32 { file.rawValue }

  /// Starts watching an existing folder, and returns the ID of the watch. Wraps `inotify_add_watch(2)`.
  @discardableResult
  package func watch(_ folder: String) throws(FileError) -> Int32 {
    let (raw, mask) = (file.rawValue, interest.mask)
    // UNSAFE: the path is passed to the call as a C string.
    return try System.retrying("inotify_add_watch", folder) { unsafe inotify_add_watch(raw, folder, mask) }
  }

  /// Ends a watch. Wraps `inotify_rm_watch(2)`.
  package func end(_ watch: Int32) {
    // The call fails if the watch ended already because the folder was removed.
    _ = inotify_rm_watch(file.rawValue, watch)
  }

  /// Returns the changes since the last call, in order.
  package func take() -> [Event] {
    var events: [Event] = []
    while true {
      let raw = file.rawValue
      // UNSAFE: the call initializes as many bytes as it returns, and no more than the buffer's capacity.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16384) { buffer, count in
        count = unsafe max(0, read(raw, buffer.baseAddress, buffer.count))
      }
      if bytes.isEmpty { return events }
      // Each event has 16 bytes (watch, mask, cookie, length), and a name padded with zeros.
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
