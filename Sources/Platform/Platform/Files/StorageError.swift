/// Why a file or folder of the container cannot be used.
public enum StorageError: Error, Equatable, Sendable {
  /// A system call failed.
  case system(SystemError)
  /// The path names something other than a folder.
  case notAFolder(path: String)
  /// The path names something other than a plain file: a folder, a FIFO, a device.
  case notAPlainFile(path: String)
  /// The path names something other than a socket.
  case notASocket(path: String)
  /// The process that listens at a socket does not answer in time.
  case noAnswer(path: String)
  /// The path names a symbolic link, which is never followed.
  case symbolicLink(path: String)
  /// The folder or file belongs to another user.
  case foreignOwner(path: String, owner: UInt32)
  /// Other users can write in the folder, and it has no sticky bit: they can rename what is in it.
  case openToOthers(path: String)
  /// The folder or file was moved, removed or replaced while it was in use.
  case moved(path: String)
  /// The file has no bytes.
  case empty(path: String)
  /// Another process holds a short-lived lock for seconds.
  case busy(path: String)
  /// The process maps more files than it can guard against truncation.
  case tooManyMappings(path: String)
}

/// An error with the nearest value of `errno`, from which a program derives its exit code.
public protocol CodedError: Error, CustomStringConvertible {
  /// The nearest value of `errno`.
  var code: Int32 { get }
}

extension SystemError: CodedError {}

extension StorageError: CodedError {
  /// The nearest value of `errno`.
  public var code: Int32 {
    let errno: Errno =
      switch self {
      case .system(let error): error.errno
      case .notAFolder: .notDirectory
      case .notAPlainFile, .notASocket: .fileExists
      case .symbolicLink: .tooManySymbolicLinkLevels
      case .foreignOwner, .openToOthers: .notPermitted
      case .moved: .staleFileHandle
      case .empty: .invalidArgument
      case .busy, .noAnswer: .resourceBusy
      case .tooManyMappings: .noMemory
      }
    return errno.rawValue
  }

  /// Whether the file or folder is missing.
  public var isMissing: Bool { code == Errno.noSuchFileOrDirectory.rawValue }

  /// Whether the file or folder was moved, removed or replaced while it was in use.
  public var isMoved: Bool { if case .moved = self { true } else { false } }

  /// One sentence: what is wrong with which path, and what to do.
  public var description: String {
    switch self {
    case .system(let error): error.description
    case .notAFolder(let path): "\(path) is not a folder; choose another container"
    case .notAPlainFile(let path): "\(path) is not a plain file; remove it and start again"
    case .notASocket(let path): "\(path) is not a socket; remove it and start again"
    case .symbolicLink(let path):
      "\(path) is a symbolic link, which is never followed; remove the link, or choose a path without links"
    case .foreignOwner(let path, let owner):
      "\(path) belongs to user \(owner), not to this one; choose another container"
    case .openToOthers(let path):
      "other users can move what is in \(path); run 'chmod go-w' or 'chmod +t' on it, or choose another container"
    case .moved(let path): "\(path) was moved or removed while it was in use; start again"
    case .noAnswer(let path): "the process at \(path) does not answer; it may be stopped, or about to exit"
    case .empty(let path): "\(path) is empty; remove it and start again"
    case .busy(let path): "\(path) has been locked by another process for seconds; end that process"
    case .tooManyMappings(let path):
      "\(path) cannot be mapped: this process has too many rings open; close some of them"
    }
  }
}

extension StorageError {
  /// The error of a block that makes system calls and checks.
  package init(_ error: any Error) {
    switch error {
    case let error as StorageError: self = error
    case let error as SystemError: self = .system(error)
    default: preconditionFailure("this layer throws nothing else, but threw \(error)")
    }
  }
}
