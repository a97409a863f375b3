import Glibc

/// Tells when a file was replaced, written or removed, whether it is there or not.
///
/// The file's folder is watched, since a file that is replaced by rename is another one each time. By inotify, which
/// Linux has; Apple's platforms have `DISPATCH_SOURCE_TYPE_VNODE` for it.
public final class FileWatch: Sendable {
  /// The path of the file.
  public let path: String
  private let notifications: FileDescriptor
  private let name: [UInt8]

  /// Starts watching; the folder must be there.
  public init(path: String) throws(StorageError) {
    self.path = path
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    name = Array((parts.last ?? "").utf8)
    let folder = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
    do {
      notifications = FileDescriptor(
        try System.retrying("inotify_init1", folder) { inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) },
        path: folder)
      let raw = notifications.rawValue
      // UNSAFE: the path is lent to the call as a C string.
      _ = try System.retrying("inotify_add_watch", folder) {
        unsafe inotify_add_watch(
          raw, folder.isEmpty ? "/" : folder, UInt32(IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE))
      }
    } catch {
      throw .system(error)
    }
  }

  /// The descriptor that can be read when something happened; for a dispatch source or `poll`. It lives as long as
  /// this object.
  public var fileDescriptor: Int32 { notifications.rawValue }

  /// Takes what has happened in the folder since the last call; whether any of it concerned the file.
  public func takeChanges() -> Bool {
    var concernsFile = false
    while true {
      let raw = notifications.rawValue
      // UNSAFE: the call initialises as many bytes as it says, and no more than the buffer has.
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = unsafe max(0, read(raw, buffer.baseAddress, buffer.count))
      }
      if bytes.isEmpty { return concernsFile }
      // Events of 16 bytes (watch, mask, cookie, length) and a name padded with zeros.
      var offset = 0
      while offset + 16 <= bytes.count {
        let mask = bytes.span.loadLittleEndian(at: offset + 4, as: UInt32.self)
        let length = Int(bytes.span.loadLittleEndian(at: offset + 12, as: UInt32.self))
        let padded = bytes[min(offset + 16, bytes.count)..<min(offset + 16 + length, bytes.count)]
        // When too much happened to be told, the file may be meant.
        if padded.prefix(while: { $0 != 0 }).elementsEqual(name) || mask & UInt32(IN_Q_OVERFLOW) != 0 {
          concernsFile = true
        }
        offset += 16 + length
      }
    }
  }
}
