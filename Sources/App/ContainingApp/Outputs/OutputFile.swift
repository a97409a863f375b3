import CommandLineSupport
import Foundation

/// Opens the files of outputs.
enum OutputFile {
  /// Whether there is a FIFO at the path, whose opening waits for its reader.
  static func isFIFO(_ path: String) -> Bool {
    var status = stat()
    // UNSAFE: the path is lent to the call, which fills the struct.
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Opens a file for writing; creates it or empties it. Throws if the path cannot be written.
  static func open(_ path: String) throws(ProgramFailure) -> FileHandle {
    // UNSAFE: the path is lent to the call as a C string.
    let descriptor = unsafe Foundation.open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(errno, name: path) }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The failure of a write, from the error number of the system call.
  static func failure(_ code: Int32, name: String) -> ProgramFailure {
    // UNSAFE: strerror returns a string of the C library, copied at once.
    let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
    return ProgramFailure(
      errno: code, "\(name) cannot be written (\(reason)); name another file, or - for standard output.")
  }
}
