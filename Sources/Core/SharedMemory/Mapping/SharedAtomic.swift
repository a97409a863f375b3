import CPlatform
import Platform
import Synchronization

/// An atomic 64-bit word in a mapping that several processes share.
///
/// It does not keep the mapping alive; its owner does. Counting a reference for every frame would cost more than the access. Each
/// use states its memory order.
@safe
@usableFromInline
struct SharedAtomic: Sendable {
  // Why nonisolated(unsafe): the pointer never changes, and its target is atomic.
  @usableFromInline
  nonisolated(unsafe) let pointer: UnsafeMutablePointer<Atomic<UInt64>>

  /// Provides access to the word at `offset` of `file`. The file must outlive this value. `offset` must be a multiple of 8.
  init(at offset: Int, of file: MappedFile) {
    precondition(offset % 8 == 0, "an atomic word must be aligned")
    // UNSAFE: checked to lie within the mapping and to be aligned; the owner of the word owns the file. `Atomic<UInt64>` has the
    // size and layout of its value, so a word of a file can be one.
    unsafe pointer = file.address(of: offset, byteCount: 8).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  /// Provides access to the word at `pointer`. Its page must stay mapped.
  init(pointer: UnsafeMutablePointer<Atomic<UInt64>>) { unsafe self.pointer = pointer }

  @inlinable
  func loadAcquiring() -> UInt64 { unsafe pointer.pointee.load(ordering: .acquiring) }

  @inlinable
  func loadRelaxed() -> UInt64 { unsafe pointer.pointee.load(ordering: .relaxed) }

  @inlinable
  func storeReleasing(_ value: UInt64) { unsafe pointer.pointee.store(value, ordering: .releasing) }

  @inlinable
  func storeRelaxed(_ value: UInt64) { unsafe pointer.pointee.store(value, ordering: .relaxed) }

  /// Sleeps while the low half of the word equals the low half of `value`, until ``wakeAll()`` or `deadline`. May return early.
  func wait(while value: UInt64, until deadline: MonotonicTime) {
    // UNSAFE: a word of the mapping; the kernel only reads it.
    unsafe shared_wait(
      UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt64.self), UInt32(truncatingIfNeeded: value),
      deadline.nanoseconds)
  }

  /// Wakes all threads that sleep on the word. The kernel executes a full barrier before it looks for them.
  func wakeAll() {
    // UNSAFE: as above.
    unsafe shared_wake(UnsafeRawPointer(pointer).assumingMemoryBound(to: UInt64.self))
  }

  /// Orders all loads and stores before the fence ahead of all stores after it.
  @inlinable
  static func releaseFence() { atomicMemoryFence(ordering: .releasing) }

  /// Orders all loads before the fence ahead of all loads and stores after it.
  @inlinable
  static func acquireFence() { atomicMemoryFence(ordering: .acquiring) }
}

/// Atomic words at equal distances in a mapping, such as a word for each slot of a ring.
@safe
struct SharedAtomicRow: Sendable {
  private let first: SharedAtomic
  private let wordStride: Int
  let count: Int

  /// Creates `count` words, `stride` bytes apart, from `offset` of `file`. The file must outlive them.
  init(at offset: Int, stride: Int, count: Int, of file: MappedFile) {
    precondition(stride % 8 == 0 && count > 0)
    first = SharedAtomic(at: offset, of: file)
    _ = SharedAtomic(at: offset + stride * (count - 1), of: file)
    wordStride = stride / 8
    self.count = count
  }

  /// The word at `index`. Traps if it is out of range.
  subscript(index: Int) -> SharedAtomic {
    precondition(index >= 0 && index < count, "no such word")
    // UNSAFE: between the first and the last word, which both lie within the mapping.
    return unsafe SharedAtomic(pointer: first.pointer + index &* wordStride)
  }
}
