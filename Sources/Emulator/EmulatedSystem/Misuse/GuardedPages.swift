import CPlatform
import Platform

/// Memory pages that can be protected. An access to protected pages is counted and then succeeds.
///
/// ```swift
/// let pages = try GuardedPages(byteCount: 4096)
/// pages.setProtected(true)
/// pages.touches     // the number of accesses since
/// ```
/// The pages are shared memory, as are pages that a system lends to a process: they do not count as this process' own.
/// A system call with an address in protected pages, such as `write`, fails with `EFAULT` and is not counted: the kernel
/// raises no signal for it.
@safe
final class GuardedPages: Sendable {
  // Why Sendable: the address and the length never change, and the users of the pages order their accesses.

  /// The first byte, valid for the lifetime of this object.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer
  /// The size in bytes: the requested size, rounded up to whole pages.
  let byteCount: Int
  private let ticket: Int32

  /// Accessible pages of zeros, for at least `byteCount` bytes.
  init(byteCount: Int) throws(SystemError) {
    let size = (byteCount + System.pageSize - 1) / System.pageSize * System.pageSize
    // UNSAFE: this object owns the pages until deinit unmaps them.
    unsafe base = try System.mapShared(byteCount: size)
    self.byteCount = size
    // UNSAFE: the pages just mapped; the guard forgets them before they are unmapped.
    ticket = unsafe access_guard_add(base, size)
    guard ticket >= 0 else {
      // The object is not complete yet, so no deinit runs.
      unsafe System.unmap(base, byteCount: size)
      throw SystemError(call: "sigaction", path: "SIGSEGV", errno: .noMemory)
    }
  }

  deinit {
    access_guard_remove(ticket)
    // UNSAFE: the owner of this object no longer uses the pages.
    unsafe System.unmap(base, byteCount: byteCount)
  }

  /// The number of accesses to the pages while they were protected. Each one ended the protection.
  var touches: UInt { UInt(access_guard_touches(ticket)) }

  /// Makes the next access a counted one, or makes the pages accessible.
  func setProtected(_ isProtected: Bool) {
    // UNSAFE: all of this object's own pages.
    unsafe System.protect(base, byteCount: byteCount, isOpen: !isProtected)
  }
}
