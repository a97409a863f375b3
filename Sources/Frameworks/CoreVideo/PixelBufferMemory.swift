import Synchronization

/// The memory of the pixel buffers of this process; lent bytes do not count. Not Core Video's: the emulated system asks.
package enum PixelBufferMemory {
  static let counter = Atomic<Int>(0)

  /// The bytes there are now, all of them in memory since they were made.
  package static var byteCount: Int { counter.load(ordering: .relaxed) }
}
