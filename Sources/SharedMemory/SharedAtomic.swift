import Synchronization

/// An atomic 64-bit word inside a mapping that several processes share.
///
/// Holding one keeps the mapping alive. The memory order is written at each use.
@safe
struct SharedAtomic: Sendable {
  private let file: MappedFile
  // Why nonisolated(unsafe): the pointer never changes, and what it points to is atomic.
  private nonisolated(unsafe) let pointer: UnsafeMutablePointer<Atomic<UInt64>>

  /// The word at `offset`, a multiple of 8, of `file`.
  init(at offset: Int, of file: MappedFile) {
    precondition(offset % 8 == 0, "an atomic word must be aligned")
    self.file = file
    // UNSAFE: checked to lie within the mapping, aligned, and kept alive by `file`. `Atomic<UInt64>` has the
    // size and layout of its value, so a word of a file is one (tried between processes).
    unsafe pointer = file.address(of: offset, byteCount: 8).assumingMemoryBound(to: Atomic<UInt64>.self)
  }

  @inline(__always)
  func loadAcquiring() -> UInt64 { unsafe pointer.pointee.load(ordering: .acquiring) }

  @inline(__always)
  func loadRelaxed() -> UInt64 { unsafe pointer.pointee.load(ordering: .relaxed) }

  @inline(__always)
  func storeReleasing(_ value: UInt64) { unsafe pointer.pointee.store(value, ordering: .releasing) }

  @inline(__always)
  func storeRelaxed(_ value: UInt64) { unsafe pointer.pointee.store(value, ordering: .relaxed) }

  /// Keeps every store after it behind every load and store before it.
  @inline(__always)
  static func releaseFence() { atomicMemoryFence(ordering: .releasing) }

  /// Keeps every load before it ahead of every load and store after it.
  @inline(__always)
  static func acquireFence() { atomicMemoryFence(ordering: .acquiring) }
}
