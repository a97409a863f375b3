import Glibc

// Mapped memory.
extension System {
  /// Maps a range of a file, which begins at a multiple of ``largestPageSize``. The corresponding C function is `mmap`.
  package static func map(
    _ file: borrowing FileDescriptor, _ range: Range<Int>, writable: Bool
  ) throws(SystemError) -> UnsafeMutableRawPointer {
    precondition(range.lowerBound % largestPageSize == 0, "on larger pages the range cannot be mapped")
    let protection = writable ? PROT_READ | PROT_WRITE : PROT_READ
    // UNSAFE: the kernel chooses the address; the caller owns the range from here on.
    let base = unsafe mmap(
      nil, range.count, protection, MAP_SHARED, file.rawValue, off_t(range.lowerBound))
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw SystemError(call: "mmap", path: file.path, errno: .current)
    }
    return unsafe base
  }

  /// Maps zeroed pages without a file, which child processes share. The corresponding C function is `mmap`.
  package static func mapShared(byteCount: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    // UNSAFE: the kernel chooses the address; the caller owns the range from here on.
    let base = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw SystemError(call: "mmap", path: "\(byteCount) bytes of memory", errno: .current)
    }
    return unsafe base
  }

  /// Allows or forbids all access of this process to pages. The corresponding C function is `mprotect`.
  package static func protect(_ base: UnsafeMutableRawPointer, byteCount: Int, isOpen: Bool) {
    // UNSAFE: whole pages that the caller owns. It can fail only for others.
    _ = unsafe mprotect(base, byteCount, isOpen ? PROT_READ | PROT_WRITE : PROT_NONE)
  }

  /// Unmaps a range. The corresponding C function is `munmap`.
  package static func unmap(_ base: UnsafeMutableRawPointer, byteCount: Int) {
    // UNSAFE: exactly the range that `map` returned. It can fail only for a range that is not one.
    _ = unsafe munmap(base, byteCount)
  }

  /// Populates the pages of a range now and not at the first access; older kernels ignore it. The corresponding C function
  /// is `madvise`.
  package static func populate(_ base: UnsafeMutableRawPointer, byteCount: Int, forWriting: Bool) {
    let populateRead: Int32 = 22  // MADV_POPULATE_READ, Linux 5.14
    let populateWrite: Int32 = 23  // MADV_POPULATE_WRITE
    // UNSAFE: advice on a range the caller owns.
    _ = unsafe madvise(base, byteCount, forWriting ? populateWrite : populateRead)
  }
}
