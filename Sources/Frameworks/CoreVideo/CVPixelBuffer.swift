import Synchronization

/// A reference-counted buffer of pixels. Models `CVBuffer.h`, `CVImageBuffer.h` and `CVPixelBuffer.h` of CoreVideo.
///
/// The memory is accessible between ``CVPixelBufferLockBaseAddress(_:_:)`` and ``CVPixelBufferUnlockBaseAddress(_:_:)``. The
/// object is usable from any thread; its users order their accesses to the pixels, as on iOS.
@safe
public final class CVBuffer: @unchecked Sendable {
  // Unchecked `Sendable`: only the lock count, which is atomic, and the pixels change; Core Video leaves those to its
  // callers.

  let width: Int
  let height: Int
  let pixelFormat: OSType
  let layout: PixelBufferLayout
  let planeBases: [UnsafeMutableRawPointer]
  private let storage: PixelStorage
  private let onRelease: (@Sendable (PixelStorage) -> Void)?
  private let observer: (any PixelAccessObserver)?
  private let lockCount = Atomic<Int>(0)
  /// Orders the notifications of the observer.
  private let transition = Mutex(())

  init(
    width: Int, height: Int, pixelFormat: OSType, layout: PixelBufferLayout,
    planeBases: [UnsafeMutableRawPointer]? = nil, storage: PixelStorage,
    observer: (any PixelAccessObserver)? = nil, onRelease: (@Sendable (PixelStorage) -> Void)? = nil
  ) {
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.layout = layout
    // UNSAFE: plane addresses within the storage, which this object retains.
    unsafe self.planeBases = planeBases ?? layout.planes.map { unsafe storage.base + $0.offset }
    self.storage = storage
    self.observer = observer
    self.onRelease = onRelease
  }

  deinit { onRelease?(storage) }

  var isLocked: Bool { lockCount.load(ordering: .relaxed) > 0 }

  /// Whether the address is available: the buffer is locked, or it has an observer, which is notified of the mistake.
  var isAddressAvailable: Bool {
    if isLocked { return true }
    observer?.wasAccessedUnlocked()
    return observer != nil
  }

  func lock() {
    guard let observer else {
      lockCount.add(1, ordering: .relaxed)
      return
    }
    transition.withLock { _ in
      if lockCount.load(ordering: .relaxed) == 0 { observer.willLock() }
      lockCount.add(1, ordering: .relaxed)
    }
  }

  /// Releases a lock; `false` when there is none.
  func unlock() -> Bool {
    guard let observer else { return decrementLockCount() }
    return transition.withLock { _ in
      guard decrementLockCount() else { return false }
      if !isLocked { observer.didUnlock() }
      return true
    }
  }

  private func decrementLockCount() -> Bool {
    var count = lockCount.load(ordering: .relaxed)
    while count > 0 {
      let (exchanged, seen) = lockCount.weakCompareExchange(
        expected: count, desired: count - 1, ordering: .relaxed)
      if exchanged { return true }
      count = seen
    }
    return false
  }
}

/// A buffer of image data.
public typealias CVImageBuffer = CVBuffer

/// A buffer of pixels in main memory.
public typealias CVPixelBuffer = CVImageBuffer

/// Options of a lock, as bits.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  /// Core Video's bits.
  public let rawValue: UInt64

  /// Creates flags from Core Video's bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The caller only reads.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}
