import Foundation
import Synchronization

/// The memory of this process's pixel buffers, without memory that callers own. Not in Core Video; for the emulated system.
package enum PixelBufferMemory {
  fileprivate static let counter = Atomic<Int>(0)

  package static var byteCount: Int { counter.load(ordering: .relaxed) }
}

/// The memory of a pixel buffer: an allocation, or bytes of a caller.
///
/// An allocation starts on a page boundary and is zeroed.
@safe
final class PixelStorage: @unchecked Sendable {
  // Unchecked `Sendable`: the address never changes, and the buffer's lock calls protect its memory.

  let base: UnsafeMutableRawPointer
  private let release: () -> Void

  /// Allocates zeroed memory; `nil` if there is none.
  init?(byteCount: Int) {
    var pointer: UnsafeMutableRawPointer?
    // UNSAFE: the out parameter is a local variable; this object alone owns the memory.
    guard unsafe posix_memalign(&pointer, 4096, byteCount) == 0, let pointer = unsafe pointer else {
      return nil
    }
    // `initializeMemory` would call a function for each byte in a debug build.
    unsafe memset(pointer, 0, byteCount)
    unsafe base = pointer
    PixelBufferMemory.counter.add(byteCount, ordering: .relaxed)
    release = {
      unsafe free(pointer)
      PixelBufferMemory.counter.subtract(byteCount, ordering: .relaxed)
    }
  }

  /// Creates storage over bytes of a caller. They stay valid until `release` is called.
  init(lent base: UnsafeMutableRawPointer, release: @escaping () -> Void) {
    unsafe self.base = base
    self.release = release
  }

  deinit { release() }
}
