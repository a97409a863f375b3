import Glibc

/// The error number of a system call, with swift-system's names.
public struct Errno: RawRepresentable, Equatable, Sendable {
  /// The value of the C variable `errno`.
  public var rawValue: Int32

  /// Creates an error from a value of `errno`.
  public init(rawValue: Int32) { self.rawValue = rawValue }

  package static let permissionDenied = Errno(rawValue: EACCES)
  package static let brokenPipe = Errno(rawValue: EPIPE)
  package static let resourceBusy = Errno(rawValue: EBUSY)
  package static let connectionAbort = Errno(rawValue: ECONNABORTED)
  package static let connectionRefused = Errno(rawValue: ECONNREFUSED)
  package static let connectionReset = Errno(rawValue: ECONNRESET)
  package static let fileExists = Errno(rawValue: EEXIST)
  package static let interrupted = Errno(rawValue: EINTR)
  package static let invalidArgument = Errno(rawValue: EINVAL)
  package static let isDirectory = Errno(rawValue: EISDIR)
  package static let tooManySymbolicLinkLevels = Errno(rawValue: ELOOP)
  package static let fileNameTooLong = Errno(rawValue: ENAMETOOLONG)
  package static let noBufferSpace = Errno(rawValue: ENOBUFS)
  package static let noData = Errno(rawValue: ENODATA)
  package static let operationNotSupportedByDevice = Errno(rawValue: ENODEV)
  package static let noSuchFileOrDirectory = Errno(rawValue: ENOENT)
  package static let noMemory = Errno(rawValue: ENOMEM)
  package static let noSpace = Errno(rawValue: ENOSPC)
  package static let notDirectory = Errno(rawValue: ENOTDIR)
  package static let noSuchAddressOrDevice = Errno(rawValue: ENXIO)
  package static let notPermitted = Errno(rawValue: EPERM)
  package static let readOnlyFileSystem = Errno(rawValue: EROFS)
  package static let staleFileHandle = Errno(rawValue: ESTALE)
  package static let wouldBlock = Errno(rawValue: EWOULDBLOCK)  // EAGAIN on Linux

  /// The error of the last failed call on this thread.
  package static var current: Errno { Errno(rawValue: errno) }

  /// A fix that the caller can try; `nil` if there is no usual one.
  var advice: String? {
    switch rawValue {
    case ENOSPC, EDQUOT: "free some room there, or choose another place"
    case EACCES, EPERM: "check the owner and mode of the file and its folders, or choose another place"
    case EROFS: "choose a place on a file system that can be written"
    case ENOENT: "check the path"
    case EMFILE, ENFILE: "raise the limit of open files (ulimit -n)"
    case ENOMEM: "free some memory, or raise the limit of address space (ulimit -v)"
    case ENAMETOOLONG: "shorten it: a name has at most 255 bytes, and a path at most 4095"
    default: nil
    }
  }
}

extension Errno: CustomStringConvertible {
  /// The system's text, with a lower-case first letter. Wraps `strerror(3)`.
  public var description: String {
    // UNSAFE: strerror returns a string of the C library, copied at once.
    let text = unsafe strerror(rawValue).map { unsafe String(cString: $0) } ?? "error \(rawValue)"
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
