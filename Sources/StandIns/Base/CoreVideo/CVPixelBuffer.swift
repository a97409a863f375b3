import Synchronization

/// Usable from any thread; its users order their accesses to the pixels, as on iOS.
@safe
public final class CVBuffer: @unchecked Sendable {
  // Unchecked `Sendable`: only the locks and the attachments, which mutexes protect, and the pixels change; Core Video leaves those to
  // its callers.

  let pixelFormat: OSType
  let layout: PixelBufferLayout
  /// The addresses of the planes. A buffer without planes has its pixels at the first.
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

  /// Creates a buffer over memory with the layout's places.
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

  /// Creates a buffer over a caller's planes, with the caller's descriptor of them.
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

  /// The address of the pixels, or of the descriptor of planes.
  var base: UnsafeMutableRawPointer? {
    guard layout.isPlanar else { return unsafe planeBases[0] }
    guard !hasCallersPlanes else { return unsafe callersDescriptor }
    locks.withLock { locks in
      guard !locks.hasDescriptor else { return }
      locks.hasDescriptor = true
      // UNSAFE: the layout leaves the bytes in front of the planes to it. The memory may come from another buffer.
      unsafe storage.base.storeBytes(
        of: CVPlanarPixelBufferInfo_YCbCrBiPlanar(layout),
        as: CVPlanarPixelBufferInfo_YCbCrBiPlanar.self)
    }
    return unsafe storage.base
  }

  /// Whether the address is available: the buffer is locked, or it has an observer, which is notified of the mistake.
  var isAddressAvailable: Bool {
    if locks.withLock({ $0.count > 0 }) { return true }
    observer?.wasAccessedUnlocked()
    return observer != nil
  }

  func lock(_ flags: CVPixelBufferLockFlags, byHardware: Bool = false) {
    locks.withLock { locks in
      if locks.count == 0 { observer?.willLock(byHardware: byHardware) }
      if flags.contains(.readOnly) { locks.readOnly += 1 } else { locks.writing += 1 }
    }
  }

  /// Locks the buffer for reading as hardware does on behalf of the caller: an encoder, or the GPU.
  package func lockForHardware() { lock(.readOnly, byHardware: true) }

  /// What hardware retains that reads the pixels after the call, beside the buffer; `nil` when nothing else owns them.
  package var pictureOwner: (any AnyObject & Sendable)? { observer?.pictureOwner }

  /// Releases a lock; `false` without one. The observer is notified of a missing lock, and of flags that no lock has.
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

/// The owner of a buffer's memory, notified of accesses: the emulated system.
package protocol PixelAccessObserver: AnyObject, Sendable {
  /// The first of nested locks is about to make the memory accessible, to the caller or to hardware.
  func willLock(byHardware: Bool)

  /// The last lock was released.
  func didUnlock()

  /// A lock was to be released, and there was none.
  func wasUnlockedWithoutALock()

  /// A lock was released with other flags than any lock has.
  func wasUnlockedWithOtherFlags()

  /// A caller requests the address of the unlocked buffer, and gets it afterwards.
  func wasAccessedUnlocked()

  /// What keeps the picture in the memory: the sample's part in it; `nil` when that has gone, or the buffer keeps the picture.
  var pictureOwner: (any AnyObject & Sendable)? { get }

  /// The last reference to the buffer has gone; on any thread. The memory may get another buffer.
  func wasReleased()
}

extension CVBuffer {
  /// Returns a buffer over memory of the caller, whose observer is notified of accesses.
  ///
  /// - Parameters:
  ///   - rows: the lengths of the rows of a buffer with two planes.
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

  /// Calls `body` with the bytes and the shape of a plane, locked for reading. Traps when the plane does not exist.
  package func withPlane<Result, Failure: Error>(
    _ index: Int, _ body: (Span<UInt8>, PixelBufferLayout.Plane) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    CVPixelBufferLockBaseAddress(self, .readOnly)
    defer { CVPixelBufferUnlockBaseAddress(self, .readOnly) }
    // UNSAFE: valid while locked; `self` outlives `body`.
    return try unsafe body(bytes(ofPlane: index).span, layout.planes[index])
  }

  /// Calls `body` with the bytes and the shape of a plane, locked for writing. Traps when the plane does not exist.
  package func withMutablePlane<Result, Failure: Error>(
    _ index: Int, _ body: (inout MutableSpan<UInt8>, PixelBufferLayout.Plane) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    CVPixelBufferLockBaseAddress(self, [])
    defer { CVPixelBufferUnlockBaseAddress(self, []) }
    // UNSAFE: as in `withPlane`; Core Video leaves it to its callers that one thread writes at a time.
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
