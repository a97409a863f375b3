/// An error that prevents the use of a file, folder, socket or ring.
public struct FileError: Error, Equatable, Sendable {
  /// The reason why it cannot be used.
  public enum Reason: Equatable, Sendable {
    /// A system call failed. The values are the C function (such as `open`, `mmap` or `posix_fallocate`) and its error.
    case call(String, Errno)
    /// The path names something other than a folder.
    case notAFolder
    /// The path names something other than a plain file, such as a folder, a FIFO or a device.
    case notAPlainFile
    /// The path names something other than a socket.
    case notASocket
    /// The path names a symbolic link, which is never followed.
    case symbolicLink
    /// The folder or file belongs to another user (with this ID).
    case foreignOwner(UInt32)
    /// Other users can write to the folder, and it has no sticky bit, so they can rename its content.
    case openToOthers
    /// The folder or file was moved, removed or replaced while it was in use.
    case moved
    /// The file is empty.
    case empty
    /// Another process has held a short-lived lock for seconds.
    case busy
    /// The process that listens on a socket does not respond in time.
    case noAnswer
    /// The process maps more files than can be guarded against truncation.
    case tooManyMappings
    /// Another process holds the lock file of a broadcast or an app; `nil` if its process ID could not be read.
    case held(by: Int32?)
    /// The file is not a property list with keys and values.
    case notAPropertyList
    /// The new value cannot be represented in a property list. The file is unchanged.
    case unwritableValue
    /// The file does not begin with the magic number of this kind of ring, such as `a frame ring`.
    case notARing(String)
    /// The file is a ring of this kind, but its format has another version than this program reads.
    case otherVersion(String, found: UInt32, reads: UInt32)
    /// The file is a ring, but its numbers contradict each other or the file's size.
    case damaged
    /// The file was truncated while it was mapped.
    case cutShort
    /// A frame is larger than any slot of a ring may be.
    case frameTooLarge(byteCount: Int, limit: Int)
    /// Frames of this size in pixels do not fit into the article's layout.
    case doesNotFit(width: Int, height: Int)
  }

  /// The reason why the path cannot be used.
  public let reason: Reason
  /// The file, folder or socket of the call, or another subject such as `processors 0, 1`.
  public let path: String

  /// Creates an error from its reason and its path.
  public init(_ reason: Reason, _ path: String) {
    self.reason = reason
    self.path = path
  }

  /// The nearest error number. It determines the exit code of a program.
  public var errno: Errno {
    switch reason {
    case .call(_, let errno): errno
    case .notAFolder: .notDirectory
    case .notAPlainFile, .notASocket, .held: .fileExists
    case .symbolicLink: .tooManySymbolicLinkLevels
    case .foreignOwner, .openToOthers: .notPermitted
    case .moved: .staleFileHandle
    case .empty, .notAPropertyList, .unwritableValue, .notARing, .otherVersion, .damaged, .cutShort,
      .frameTooLarge:
      .invalidArgument
    case .busy, .noAnswer: .resourceBusy
    case .tooManyMappings: .noMemory
    case .doesNotFit: .noSpace
    }
  }

  /// Whether the file or folder is missing.
  public var isMissing: Bool { errno == .noSuchFileOrDirectory }
}

extension FileError: CustomStringConvertible {
  /// The value of ``errno``.
  public var code: Int32 { errno.rawValue }

  /// A sentence with the problem, the path and the fix.
  public var description: String {
    switch reason {
    case .call(let call, let errno):
      (path.isEmpty ? "" : "\(path): ") + "\(errno) (\(call))" + (errno.advice.map { "; \($0)" } ?? "")
    case .notAFolder: "\(path) is not a folder; choose another container"
    case .notAPlainFile: "\(path) is not a plain file; remove it and start again"
    case .notASocket: "\(path) is not a socket; remove it and start again"
    case .symbolicLink:
      "\(path) is a symbolic link, and links are never followed; remove the link, or choose a path without links"
    case .foreignOwner(let owner):
      "\(path) belongs to user \(owner), not to this one; run both programs as the same user, or choose another container"
    case .openToOthers:
      "other users can move what is in \(path); run 'chmod go-w' or 'chmod +t' on it, or choose another container"
    case .moved: "\(path) was moved or removed while it was in use; start again"
    case .empty: "\(path) is empty; remove it and start again"
    case .busy: "\(path) has been locked by another process for seconds; end that process"
    case .noAnswer: "the process at \(path) does not answer; it may be stopped, or about to exit"
    case .tooManyMappings:
      "\(path) cannot be mapped: this process maps too many files or buffers; release some of them"
    case .held(let pid):
      "a broadcast is already running in this app group"
        + (pid.map { " (process \($0))" } ?? "") + "; stop it first, or choose another app group"
    case .notAPropertyList:
      "\(path) is not a property list of keys and values; the next start or stop of a broadcast moves it aside"
    case .unwritableValue:
      "\(path) is unchanged, because a property list cannot hold the new value; set another value"
    case .notARing(let kind): "\(path) is not \(kind); remove it and start the producer again"
    case .otherVersion(let kind, let found, let version):
      "\(path) is \(kind) of version \(found), and this program reads version \(version); "
        + "run producer and consumer from the same build"
    case .damaged:
      "\(path) has a damaged header or was truncated; remove it and start the producer again"
    case .cutShort:
      "\(path) was truncated while it was open; a running producer creates a new file with its next frame"
    case .frameTooLarge(let byteCount, let limit):
      "a frame of \(byteCount) bytes is larger than the \(limit) bytes a slot may have"
    case .doesNotFit(let width, let height):
      "frames of \(width)x\(height) do not fit into the 10 MiB of the article's layout; choose a smaller size or "
        + "the layout 'ring'"
    }
  }
}
