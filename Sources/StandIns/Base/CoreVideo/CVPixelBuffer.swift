import Synchronization

/// May be used on any thread. As on iOS, the callers synchronize their accesses to the pixels.
@safe
public final class CVBuffer: @unchecked Sendable {
  // Unchecked `Sendable`: only the pixels, the locks and the attachments change. Mutexes protect the locks and the
  // attachments; Core Video leaves the pixels to its callers.

  let pixelFormat: OSType
  let layout: PixelBufferLayout
  /// The addresses of the planes. In a buffer without planes, the pixels are at the first address.
  let planeBases: InlineArray<2, UnsafeMutableRawPointer>
  private let hasCallersPlanes: Bool
  private let callersDescriptor: UnsafeMutableRawPointer?
  private let storage: PixelStorage
  private let observer: (any PixelAccessObserver)?
  private let locks = Mutex(Locks())
  let attachments = BufferAttachments()
  package let captureMark = Mutex<CaptureMark?>(nil)

  private struct Locks {
    var readOnly = 0
    var writing = 0
    var hasDescriptor = false
    var count: Int { readOnly + writing }
  }

  /// Creates a buffer over memory in which the layout places the planes.
  init(
    pixelFormat: OSType, layout: PixelBufferLayout, storage: PixelStorage,
    observer: (any PixelAccessObserver)? = nil
  ) {
    self.pixelFormat = pixelFormat
    self.layout = layout
    // UNSAFE: addresses within the memory that the storage owns or releases, which this object retains.
    unsafe planeBases = [
      storage.base + layout.planes[0].offset,
      storage.base + layout.planes[layout.planes.count - 1].offset,
    ]
    unsafe callersDescriptor = nil
    hasCallersPlanes = false
    self.storage = storage
    self.observer = observer
  }

  /// Creates a buffer over the planes of a caller, with the caller's descriptor of the planes.
  init(
    pixelFormat: OSType, layout: PixelBufferLayout, chroma: UnsafeMutableRawPointer,
    descriptor: UnsafeMutableRawPointer?, storage: PixelStorage
  ) {
    self.pixelFormat = pixelFormat
    self.layout = layout
    // UNSAFE: addresses that the caller keeps valid until the storage is released, which this object retains.
    unsafe planeBases = [storage.base, chroma]
    unsafe callersDescriptor = descriptor
    hasCallersPlanes = true
    self.storage = storage
    observer = nil
  }

  /// The address of the pixels, or of the descriptor of the planes.
  var base: UnsafeMutableRawPointer? {
    guard layout.isPlanar else { return unsafe planeBases[0] }
    guard !hasCallersPlanes else { return unsafe callersDescriptor }
    locks.withLock { locks in
      guard !locks.hasDescriptor else { return }
      locks.hasDescriptor = true
      observer?.willWrite()
      // UNSAFE: the layout reserves the bytes before the planes for the descriptor. The memory may come from another buffer.
      unsafe storage.base.storeBytes(
        of: CVPlanarPixelBufferInfo_YCbCrBiPlanar(layout),
        as: CVPlanarPixelBufferInfo_YCbCrBiPlanar.self)
    }
    return unsafe storage.base
  }

  /// Whether the address is available: either the buffer is locked, or it has an observer. The observer is notified of
  /// an access without a lock.
  var isAddressAvailable: Bool {
    if locks.withLock({ $0.count > 0 }) { return true }
    observer?.wasAccessedUnlocked()
    return observer != nil
  }

  func lock(_ flags: CVPixelBufferLockFlags, byHardware: Bool = false) {
    locks.withLock { locks in
      if locks.count == 0 { observer?.willLock(byHardware: byHardware) }
      if flags.contains(.readOnly) {
        locks.readOnly += 1
      } else {
        locks.writing += 1
        observer?.willWrite()
      }
    }
  }

  /// Locks the buffer for reading on behalf of hardware that the caller uses: an encoder, or the GPU.
  package func lockForHardware() { lock(.readOnly, byHardware: true) }

  /// An object that keeps the frame in the memory while hardware (such as an encoder) still reads the pixels after the
  /// call; `nil` if only the buffer keeps the frame.
  package var pictureOwner: (any AnyObject & Sendable)? { observer?.pictureOwner }

  /// Releases a lock. Returns `false` if the buffer is not locked. The observer is notified of a missing lock, and of
  /// flags that no lock has.
  func unlock(_ flags: CVPixelBufferLockFlags) -> Bool {
    let (isLocked, isMatched) = locks.withLock { locks in
      guard locks.count > 0 else { return (false, true) }
      let isReadOnly = flags.contains(.readOnly)
      let isMatched = isReadOnly ? locks.readOnly > 0 : locks.writing > 0
      if isReadOnly == isMatched { locks.readOnly -= 1 } else { locks.writing -= 1 }
      if locks.count == 0 { observer?.didUnlock() }
      return (true, isMatched)
    }
    if !isLocked { observer?.wasUnlockedWithoutALock() }
    if !isMatched { observer?.wasUnlockedWithOtherFlags() }
    return isLocked
  }
}

public typealias CVImageBuffer = CVBuffer
public typealias CVPixelBuffer = CVImageBuffer

public struct CVPixelBufferLockFlags: OptionSet, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let readOnly = CVPixelBufferLockFlags(rawValue: 1)
}

/// Owns the memory of a buffer, and is notified of accesses. The emulated system implements it.
package protocol PixelAccessObserver: AnyObject, Sendable {
  /// The first of nested locks is about to give the caller or hardware access to the memory, for reading.
  func willLock(byHardware: Bool)

  /// The pixels may be written until the last lock is released.
  func willWrite()

  /// The last lock was released.
  func didUnlock()

  /// A caller tried to release a lock of an unlocked buffer.
  func wasUnlockedWithoutALock()

  /// A lock was released with flags that no lock has.
  func wasUnlockedWithOtherFlags()

  /// A caller requested the address of the unlocked buffer, and is about to get it.
  func wasAccessedUnlocked()

  /// An object that keeps the frame in the memory while it is retained. The samples of the frame retain it too; `nil`
  /// if no sample is left, or if the buffer keeps the frame.
  var pictureOwner: (any AnyObject & Sendable)? { get }

  /// The last reference to the buffer was released, on any thread. The memory may be used for another buffer.
  func wasReleased()
}

extension CVBuffer {
  /// Creates a buffer over memory of the caller. The observer is notified of accesses.
  ///
  /// - Parameters:
  ///   - rows: the row lengths of a buffer with two planes.
  ///   - lend: returns at least `byteCount` bytes on a page boundary, which stay valid as long as the observer. The
  ///     buffer retains the observer.
  /// - Returns: the buffer, or a code of `CVPixelBufferCreate`.
  package static func make<Failure: Error>(
    width: Int, height: Int, pixelFormat: OSType, rows: RowLengths = .aligned(chromaPadding: 0),
    lend: (_ byteCount: Int) throws(Failure) -> (UnsafeMutableRawPointer, any PixelAccessObserver)
  ) throws(Failure) -> (buffer: CVPixelBuffer?, code: CVReturn) {
    var layout: PixelBufferLayout
    do {
      layout = try PixelBufferLayout(width: width, height: height, format: pixelFormat)
      try layout.setRows(rows)
    } catch {
      return (nil, error.code)
    }
    // UNSAFE: the memory is valid as long as its observer, which the buffer retains.
    let (base, observer) = try unsafe lend(layout.byteCount)
    let buffer = unsafe CVBuffer(
      pixelFormat: pixelFormat, layout: layout, storage: PixelStorage(lent: base) { observer.wasReleased() },
      observer: observer)
    return (buffer, kCVReturnSuccess)
  }

  /// Calls `body` with the bytes and the shape of a plane, locked for reading. Traps if the plane does not exist.
  package func withPlane<Result, Failure: Error>(
    _ index: Int, _ body: (Span<UInt8>, PixelBufferLayout.Plane) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    // UNSAFE: valid while locked; `self` outlives `body`.
    return try unsafe body(bytes(ofPlane: index).span, layout.planes[index])
  }

  /// Calls `body` with the bytes and the shape of a plane, locked for writing. Traps if the plane does not exist.
  package func withMutablePlane<Result, Failure: Error>(
    _ index: Int, _ body: (inout MutableSpan<UInt8>, PixelBufferLayout.Plane) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    CVPixelBufferLockBaseAddress(self, [])
    defer { CVPixelBufferUnlockBaseAddress(self, []) }
    // UNSAFE: as in `withPlane`; Core Video leaves it to its callers that only one thread writes at a time.
    let bytes = unsafe bytes(ofPlane: index)
    var span = unsafe bytes.mutableSpan
    return try body(&span, layout.planes[index])
  }

  private func bytes(ofPlane index: Int) -> UnsafeMutableBufferPointer<UInt8> {
    let plane = layout.planes[index]
    // UNSAFE: the plane has these bytes; pixels are bytes.
    return unsafe UnsafeMutableBufferPointer(
      start: planeBases[index].assumingMemoryBound(to: UInt8.self), count: plane.bytesPerRow * plane.height)
  }
}
