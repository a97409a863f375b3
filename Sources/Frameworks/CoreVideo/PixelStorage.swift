import Foundation
import Synchronization

/// The memory behind a pixel buffer: its own allocation, or bytes lent by a caller.
///
/// Owned memory starts on a page boundary and is zero when new. Freed, or given back to its lender, when the
/// last buffer over it goes.
@safe
final class PixelStorage: @unchecked Sendable {
  /// Where the memory starts. Never changes; what lies behind it is guarded by the buffer's lock calls,
  /// which is why the class may cross threads.
  let base: UnsafeMutableRawPointer
  private let release: () -> Void

  /// Allocates zeroed memory; `nil` when there is none.
  init?(byteCount: Int) {
    var pointer: UnsafeMutableRawPointer?
    // UNSAFE: the C allocator fills the out parameter; the memory is owned by this object alone.
    guard unsafe posix_memalign(&pointer, 4096, byteCount) == 0, let pointer = unsafe pointer else {
      return nil
    }
    unsafe pointer.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount)
    unsafe base = pointer
    PixelBufferMemory.counter.add(byteCount, ordering: .relaxed)
    release = {
      unsafe free(pointer)
      PixelBufferMemory.counter.subtract(byteCount, ordering: .relaxed)
    }
  }

  /// Stands over bytes that belong to somebody else until `release` is called.
  init(lent base: UnsafeMutableRawPointer, release: @escaping () -> Void) {
    unsafe self.base = base
    self.release = release
  }

  deinit { release() }
}
