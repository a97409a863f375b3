import CPlatform
import Platform

/// Memory that can be closed: whoever touches it then is told of, and goes on.
///
/// ```swift
/// let pages = try GuardedPages(byteCount: 4096)
/// pages.close()
/// pages.touches     // how often somebody came in meanwhile
/// ```
/// The pages are shared ones: they belong to no process, as those that a system lends to one do not, and are not part
/// of what is counted as this process' own.
///
/// Only code of the process itself can be let in so. A system call that gets an address in closed pages, as `write` or
/// `send` does, fails with `EFAULT`, and is not counted: the kernel raises no signal for it.
@safe
public final class GuardedPages: Sendable {
  // Why Sendable: the address and the length never change; what is behind them is for its users to order.

  /// Where the memory begins. It is there for as long as this object is.
  public nonisolated(unsafe) let base: UnsafeMutableRawPointer
  /// The bytes: what was asked for, brought up to whole pages.
  public let byteCount: Int
  private let ticket: Int32

  /// Open pages of zeros, for at least `byteCount` bytes.
  public init(byteCount: Int) throws(SystemError) {
    let size = (byteCount + System.pageSize - 1) / System.pageSize * System.pageSize
    // UNSAFE: this object owns the pages until deinit unmaps them.
    unsafe base = try System.mapShared(byteCount: size)
    self.byteCount = size
    // UNSAFE: the pages just mapped; the guard forgets them before they are unmapped.
    ticket = unsafe access_guard_add(base, size)
    guard ticket >= 0 else {
      // Before the object is whole, so that no deinit runs.
      unsafe System.unmap(base, byteCount: size)
      throw SystemError(call: "sigaction", path: "SIGSEGV", errno: .noMemory)
    }
  }

  deinit {
    access_guard_remove(ticket)
    // UNSAFE: the owner's word is that nobody uses them any more.
    unsafe System.unmap(base, byteCount: byteCount)
  }

  /// How often somebody touched the pages while they were closed.
  public var touches: UInt { UInt(access_guard_touches(ticket)) }

  /// Lets nobody in.
  public func close() {
    // UNSAFE: the whole of this object's own pages.
    unsafe System.protect(base, byteCount: byteCount, isOpen: false)
  }

  /// Lets everybody in.
  public func open() {
    // UNSAFE: as above.
    unsafe System.protect(base, byteCount: byteCount, isOpen: true)
  }
}
