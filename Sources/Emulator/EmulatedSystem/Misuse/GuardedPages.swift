import CPlatform
import Platform

/// Memory pages that can be protected. An access to protected pages is counted and then succeeds.
///
/// ```swift
/// let pages = try GuardedPages(byteCount: 4096)
/// pages.protect()
/// pages.touches     // the number of accesses since
/// ```
/// The pages are shared memory, as are pages that a system lends to a process: they do not count as this process' own.
///
/// Only code of this process is let through. A system call with an address in protected pages, such as `write` or
/// `send`, fails with `EFAULT` and is not counted: the kernel raises no signal for it.
@safe
package final class GuardedPages: Sendable {
  // Why Sendable: the address and the length never change, and the users of the pages order their accesses.

  /// The first byte, valid for the lifetime of this object.
  package nonisolated(unsafe) let base: UnsafeMutableRawPointer
  /// The size in bytes: the requested size, rounded up to whole pages.
  package let byteCount: Int
  private let ticket: Int32

  /// Accessible pages of zeros, for at least `byteCount` bytes.
  package init(byteCount: Int) throws(SystemError) {
    let size = (byteCount + System.pageSize - 1) / System.pageSize * System.pageSize
    // UNSAFE: this object owns the pages until deinit unmaps them.
    unsafe base = try System.mapShared(byteCount: size)
    self.byteCount = size
    // UNSAFE: the pages just mapped; the guard forgets them before they are unmapped.
    ticket = unsafe memory_guard_add(GUARD_OF_PAGES, base, size)
    guard ticket >= 0 else {
      // The object is not complete yet, so no deinit runs.
      unsafe System.unmap(base, byteCount: size)
      throw SystemError(call: "sigaction", path: "SIGSEGV", errno: .noMemory)
    }
  }

  deinit {
    memory_guard_remove(GUARD_OF_PAGES, ticket)
    // UNSAFE: the owner of this object no longer uses the pages.
    unsafe System.unmap(base, byteCount: byteCount)
  }

  /// The number of accesses to the pages while they were protected. Each one ended the protection.
  package var touches: UInt { UInt(memory_guard_count(GUARD_OF_PAGES, ticket)) }

  /// Makes the next access a counted one.
  package func protect() {
    // UNSAFE: all of this object's own pages.
    unsafe System.protect(base, byteCount: byteCount, isOpen: false)
  }

  /// Makes the pages accessible.
  package func unprotect() {
    // UNSAFE: as above.
    unsafe System.protect(base, byteCount: byteCount, isOpen: true)
  }
}
