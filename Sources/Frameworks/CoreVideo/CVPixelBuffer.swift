import Synchronization

/// A reference-counted buffer of pixels.
///
/// Core Video's buffers are objects whose memory is reached only between
/// ``CVPixelBufferLockBaseAddress(_:_:)`` and ``CVPixelBufferUnlockBaseAddress(_:_:)``. The object may be
/// used from any thread; who may write the pixels at a time is the caller's agreement, as on iOS.
@safe
public final class CVBuffer: @unchecked Sendable {
  /// Why unchecked: everything here is immutable but the lock count, which is atomic, and the pixels, which
  /// Core Video leaves to its callers.
  let width: Int
  let height: Int
  let pixelFormat: OSType
  let layout: PixelBufferLayout
  let planeBases: [UnsafeMutableRawPointer]
  private let storage: PixelStorage
  private let onRelease: (@Sendable (PixelStorage) -> Void)?
  private let observer: (any PixelAccessObserver)?
  private let lockCount = Atomic<Int>(0)
  /// Held while an observer is told of the first lock or the last unlock, so that it is told in their order.
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
    // UNSAFE: plane addresses inside the storage, which this object keeps alive.
    unsafe self.planeBases = planeBases ?? layout.planes.map { unsafe storage.base + $0.offset }
    self.storage = storage
    self.observer = observer
    self.onRelease = onRelease
  }

  deinit { onRelease?(storage) }

  var isLocked: Bool { lockCount.load(ordering: .relaxed) > 0 }

  /// Whether the address of the memory may be given: the buffer is locked, or who lends the memory lets it pass, having
  /// been told.
  var mayBeReached: Bool {
    if isLocked { return true }
    observer?.wasAskedUnlocked()
    return observer != nil
  }

  func lock() {
    guard let observer else {
      lockCount.add(1, ordering: .relaxed)
      return
    }
    transition.withLock { _ in
      if lockCount.load(ordering: .relaxed) == 0 { observer.willOpen() }
      lockCount.add(1, ordering: .relaxed)
    }
  }

  /// Whether there was a lock to give back.
  func unlock() -> Bool {
    guard let observer else { return giveLockBack() }
    return transition.withLock { _ in
      guard giveLockBack() else { return false }
      if !isLocked { observer.didClose() }
      return true
    }
  }

  private func giveLockBack() -> Bool {
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

/// How a pixel buffer is locked.
public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  /// The flags as Core Video's bits.
  public let rawValue: UInt64

  /// Flags from Core Video's bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The caller will only read.
  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}
