/// Why a file or folder of the container cannot be used.
public enum StorageError: Error, Equatable, Sendable {
  /// The system refused a call.
  case system(SystemError)
  /// Something other than a folder stands where a folder must be.
  case notAFolder(path: String)
  /// Something other than a plain file stands where a file must be: a folder, a FIFO, a device.
  case notAPlainFile(path: String)
  /// Something other than a socket stands where one must be.
  case notASocket(path: String)
  /// Who should answer at a socket does not.
  case noAnswer(path: String)
  /// A symbolic link stands where the folder or file itself must be; links are never followed.
  case symbolicLink(path: String)
  /// The folder or file belongs to another user.
  case foreignOwner(path: String, owner: UInt32)
  /// The file has no bytes.
  case empty(path: String)
  /// Another process holds a short-lived lock for longer than anybody should.
  case busy(path: String)
  /// The process has mapped more files than it can guard against being cut short.
  case tooManyMappings(path: String)
}

extension StorageError {
  /// The nearest `errno`, from which a program derives its exit code.
  public var code: Int32 {
    switch self {
    case .system(let error): error.code
    case .notAFolder: System.Code.notADirectory
    case .notAPlainFile, .notASocket: System.Code.exists
    case .symbolicLink: System.Code.symbolicLinkLoop
    case .foreignOwner: System.Code.notPermitted
    case .empty: System.Code.invalid
    case .busy, .noAnswer: System.Code.busy
    case .tooManyMappings: System.Code.noMemory
    }
  }

  /// Whether the file or folder simply is not there.
  public var isMissing: Bool { code == System.Code.missing }
}

extension StorageError: CustomStringConvertible {
  /// One sentence: what is wrong with which path, and the way out.
  public var description: String {
    switch self {
    case .system(let error): error.description
    case .notAFolder(let path): "\(path) is not a folder; remove it or choose another container"
    case .notAPlainFile(let path): "\(path) is not a plain file; remove it and start again"
    case .notASocket(let path): "\(path) is not a socket; remove it and start again"
    case .symbolicLink(let path):
      "\(path) is a symbolic link, which a container never follows; name the folder it points to"
    case .foreignOwner(let path, let owner):
      "\(path) belongs to user \(owner), not to this one; choose another container"
    case .noAnswer(let path): "the process at \(path) does not answer; it may be stopped, or at its end"
    case .empty(let path): "\(path) is empty; remove it and start again"
    case .busy(let path): "\(path) has been locked by another process for seconds; end that process"
    case .tooManyMappings(let path):
      "\(path) cannot be mapped beside so many others; close some of the rings this process has open"
    }
  }
}

extension StorageError {
  /// The error of a block that makes system calls and checks of its own.
  package init(_ error: any Error) {
    switch error {
    case let error as StorageError: self = error
    case let error as SystemError: self = .system(error)
    default: preconditionFailure("this layer throws nothing else, but threw \(error)")
    }
  }
}
