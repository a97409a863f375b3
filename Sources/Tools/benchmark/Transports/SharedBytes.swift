import CBenchmark
import Glibc

/// A file mapped for reading and writing without the ring's synchronisation, for the peers and the bare references.
/// Reserved and touched like the ring's file, so that only the use of the bytes differs.
@safe
final class SharedBytes {
  let path: String
  let count: Int
  // UNSAFE: owned by this object from the mapping to the unmapping.
  let base: UnsafeMutableRawPointer

  /// Maps the file, which the first of the two processes creates.
  init(path: String, count: Int, creates: Bool) throws {
    self.path = path
    self.count = count
    // UNSAFE: the string is lent to the call; the descriptor is closed below.
    let file = unsafe open(path, O_RDWR | O_CLOEXEC | (creates ? O_CREAT | O_EXCL : 0), 0o600)
    guard file >= 0 else { throw Failure("\(path) cannot be opened (error \(errno))") }
    defer { close(file) }
    if creates, case let code = posix_fallocate(file, 0, off_t(count)), code != 0 {
      throw Failure("there is no room for \(path) (error \(code)); name another folder with --folder")
    }
    // UNSAFE: the kernel chooses the address.
    let base = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw Failure("\(path) cannot be mapped (error \(errno))")
    }
    // UNSAFE: advice on the range just mapped; without it the first touch is slower, which is all.
    _ = unsafe benchmark_populate(base, count)
    unsafe self.base = base
  }

  deinit {
    // UNSAFE: exactly the range that was mapped.
    _ = unsafe munmap(base, count)
  }
}
