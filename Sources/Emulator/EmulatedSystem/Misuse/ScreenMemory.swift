import CPlatform
import CoreVideo
import Dispatch
import Platform
import Synchronization

/// The memory of one of the screen's pixel buffers. It belongs to the system: it is shared memory, which counts for no
/// footprint, and it may be protected while it is not locked, so that an access that is not allowed is noticed.
///
/// An access to protected memory is counted, ends the protection, and succeeds. A system call with an address in it, such
/// as `write`, fails with `EFAULT` and is not counted: the kernel raises no signal for it.
@safe
final class ScreenMemory: PixelAccessObserver {
  /// The states of the memory in their order: a frame is drawn, its sample waits for the handler, the handler processes it,
  /// holds it after the call, and releases it.
  enum Use { case free, drawing, waiting, processed, held }

  /// The first byte, valid for the lifetime of this object.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer
  /// The requested size, rounded up to whole pages.
  let byteCount: Int
  /// The place of the memory among those in which accesses are counted.
  private let ticket: Int32
  private let isProtected: Bool
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private let state = Mutex(State())

  private struct State {
    var use = Use.free
    var isLocked = false
    /// Whether the handler got the address without a lock.
    var isExposed = false
    var isAccessible = true
    var touches: UInt32 = 0
    /// The frame that is drawn over the pixels at and after the next lock.
    var overlap: CVPixelBuffer?
  }

  /// Memory of zeros, for at least `byteCount` bytes.
  ///
  /// - Parameters:
  ///   - isProtected: whether the memory is protected while it is not locked, which takes about 0.2 ms for each
  ///     frame of a phone's size. Otherwise only accesses through Core Video's functions are noticed.
  ///   - onMisuse: called on the thread of the misuse.
  init(
    byteCount: Int, isProtected: Bool, onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  ) throws(SystemError) {
    (self.isProtected, self.onMisuse) = (isProtected, onMisuse)
    let size = (byteCount + System.pageSize - 1) / System.pageSize * System.pageSize
    // UNSAFE: this object owns the pages until deinit unmaps them, and the guard forgets them before.
    unsafe base = try System.mapShared(byteCount: size)
    ticket = unsafe memory_guard_add(GUARD_OF_PAGES, base, size)
    self.byteCount = size
    guard ticket >= 0 else {
      // The object is not complete yet, so no deinit runs.
      unsafe System.unmap(base, byteCount: size)
      throw SystemError(call: "sigaction", path: "SIGSEGV", errno: .noMemory)
    }
    change { _ in }
  }

  deinit {
    memory_guard_remove(GUARD_OF_PAGES, ticket)
    // UNSAFE: the owner of this object no longer uses the pages.
    unsafe System.unmap(base, byteCount: byteCount)
  }

  var use: Use { state.withLock { $0.use } }

  /// Calls `draw`, in which the system draws a frame; then the frame waits. The memory must be free.
  func whileDrawing<Result, Failure>(_ draw: () throws(Failure) -> Result) throws(Failure) -> Result {
    change(to: .drawing)
    defer { change(to: .waiting) }
    return try draw()
  }

  /// `processSampleBuffer(_:with:)` begins.
  func willDeliver() { change(to: .processed) }

  /// `processSampleBuffer(_:with:)` has returned.
  func didDeliver() { change(to: .held) }

  /// The time from the lock to the second part of an overlap.
  static let overlapTime = Duration.milliseconds(4)

  func willLock() {
    change { $0.isLocked = true }
    let isOverlapped = state.withLock { state in
      draw(0, of: state.overlap)
      return state.overlap != nil
    }
    guard isOverlapped else { return }
    let deadline = DispatchTime.now() + Self.overlapTime / .seconds(1)
    DispatchQueue.global(qos: .userInteractive).asyncAfter(deadline: deadline) { [weak self] in
      guard let self else { return }
      // An unlock waits for it.
      state.withLock { if $0.isLocked { self.draw(1, of: $0.overlap.take()) } }
    }
  }

  func didUnlock() {
    change {
      $0.isLocked = false
      $0.overlap = nil
    }
  }

  func wasAccessedUnlocked() {
    // The memory opens for the handler: a system call would fail with protected pages, and succeeds on a device.
    change { $0.isExposed = true }
    onMisuse?(.unlocked)
  }

  func wasReleased() { change(to: .free) }

  /// Draws the upper quarter of `later`, a frame of the same shape, over the pixels at their next lock, and the second one
  /// while they are still locked.
  func overlap(with later: CVPixelBuffer) { change { $0.overlap = later } }

  private func draw(_ quarter: Int, of later: CVPixelBuffer?) {
    guard let later else { return }
    for plane in 0..<CVPixelBufferGetPlaneCount(later) {
      later.withPlane(plane) { bytes, shape in
        let count = shape.bytesPerRow * (shape.height / 4)
        let start = quarter * count
        // UNSAFE: both frames have the shape of the screen, for which this memory is large enough.
        unsafe bytes.extracting(start..<start + count).withUnsafeBytes { source in
          unsafe UnsafeMutableRawBufferPointer(start: base + shape.offset + start, count: count)
            .copyMemory(from: source)
        }
      }
    }
  }

  /// Begins another use, and reports what the handler did in the one before.
  private func change(to use: Use) {
    var misuses: [HandlerMisuse] = []
    change { state in
      // The last reference may be released before the call is known to have returned.
      if use == .held, state.use != .processed { return }
      let wasHandlers = state.use == .processed || state.use == .held
      let touches = memory_guard_count(GUARD_OF_PAGES, ticket)
      if touches != state.touches {
        // A touch ends the protection.
        (state.touches, state.isAccessible) = (touches, true)
        if state.use != .drawing { misuses.append(wasHandlers ? .unlocked : .afterRelease) }
      }
      if use == .free {
        if state.isLocked, wasHandlers { misuses.append(.leftLocked) }
        (state.isLocked, state.isExposed, state.overlap) = (false, false, nil)
      }
      state.use = use
    }
    for misuse in misuses { onMisuse?(misuse) }
  }

  /// Changes the state, and protects or unprotects the pages as it demands. The system may always access them.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      let isAccessible = state.isLocked || state.isExposed || state.use == .drawing
      if isProtected, isAccessible != state.isAccessible {
        state.isAccessible = isAccessible
        // UNSAFE: all of this object's own pages.
        unsafe System.protect(base, byteCount: byteCount, isOpen: isAccessible)
      }
    }
  }
}
