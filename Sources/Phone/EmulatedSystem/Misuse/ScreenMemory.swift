import CPlatform
import CoreVideo
import Foundation
import Platform
import Synchronization

/// Counts the frames whose pixels the handler has read.
final class ReadFrames: Sendable {
  private let value = Atomic<UInt64>(0)

  // SYNC: relaxed: the count orders no other memory.
  var count: UInt64 { value.load(ordering: .relaxed) }
  func add() { value.add(1, ordering: .relaxed) }
}

/// The memory of one of the screen's pixel buffers. It belongs to the system: it is shared memory that does not count towards the
/// footprint. If it is protected, two kinds of forbidden accesses are detected: any access while the memory is not locked, and a
/// write while it is locked for reading.
///
/// An access to protected memory is counted, ends the protection, and succeeds. A system call with an address in it (such as
/// `write`) fails with `EFAULT` and is not counted, because the kernel raises no signal for it.
@safe
package final class ScreenMemory: Sendable {
  /// The states of the memory, in order: a frame is drawn, its sample waits for the handler, the handler processes the sample,
  /// the handler still holds it after the call. Then the handler releases it, and the memory is free.
  enum Use { case free, drawing, waiting, processed, held }

  /// The first byte, valid for the lifetime of this object.
  nonisolated(unsafe) let base: UnsafeMutableRawPointer
  /// The requested size, rounded up to whole pages.
  let byteCount: Int
  /// The index of the memory in the table of guarded ranges.
  private let ticket: Int32
  private let isProtected: Bool
  private let onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  private let reads: ReadFrames?
  private let state = Mutex(State())

  private struct State {
    var use = Use.free
    var isLocked = false
    /// Whether the lock permits writing too.
    var mayWrite = false
    /// Whether the frame has been counted as read by the handler.
    var isRead = false
    /// Whether the handler received the address without a lock, or locked the memory after it had released the frame. The memory
    /// then stays accessible.
    var isExposed = false
    /// How the pages are mapped.
    var access = PROT_READ | PROT_WRITE
    var touches: UInt32 = 0
    /// The number of the frame that the memory contains.
    var frame: UInt64 = 0
    var caller = pthread_t()
    /// The overlap that is drawn while the handler reads the pixels in its call. Other threads read held samples, without an
    /// overlap.
    var overlap: PictureOverlap?

    /// Whether the memory still belongs to the frame, because the frame's sample has not been released.
    func isOf(_ frame: UInt64) -> Bool { self.frame == frame && use != .free }

    /// Whether there was a forbidden access since the last call. The access has ended the protection.
    mutating func takeTouch(_ ticket: Int32) -> Bool {
      let count = memory_guard_count(GUARD_OF_PAGES, ticket)
      guard count != touches else { return false }
      (touches, access) = (count, PROT_READ | PROT_WRITE)
      return true
    }
  }

  /// Creates memory of at least `byteCount` bytes, filled with zeros.
  ///
  /// - Parameters:
  ///   - isProtected: whether the memory is protected while it is not locked. This takes about 0.2 ms for each frame of a phone's
  ///     size. Otherwise only accesses through Core Video's functions are detected.
  ///   - reads: counts the frames whose pixels the handler can read.
  ///   - onMisuse: called on the thread of the misuse.
  init(
    byteCount: Int, isProtected: Bool, reads: ReadFrames? = nil,
    onMisuse: (@Sendable (HandlerMisuse) -> Void)?
  ) throws(FileError) {
    self.isProtected = isProtected
    self.reads = reads
    self.onMisuse = onMisuse
    let size = (byteCount + System.pageSize - 1) / System.pageSize * System.pageSize
    // UNSAFE: this object owns the pages until deinit unmaps them, and deinit removes the guard before that.
    let base = unsafe mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw FileError(.call("mmap", .current), "\(size) bytes of memory")
    }
    unsafe self.base = base
    self.byteCount = size
    do throws(FileError) {
      ticket = unsafe try System.guardMemory(
        GUARD_OF_PAGES, base, byteCount: size, of: "a buffer of the screen")
    } catch {
      // The object is not complete yet, so deinit does not run.
      unsafe System.unmap(base, byteCount: size)
      throw error
    }
    change { _ in }
  }

  deinit {
    memory_guard_remove(GUARD_OF_PAGES, ticket)
    // UNSAFE: the owner of this object no longer uses the pages.
    unsafe System.unmap(base, byteCount: byteCount)
  }

  var use: Use { state.withLock { $0.use } }

  /// Calls `draw` to draw a frame. Then the frame waits. The memory must be free.
  func whileDrawing<Result, Failure>(_ draw: () throws(Failure) -> Result) throws(Failure) -> Result {
    change(to: .drawing)
    defer { change(to: .waiting) }
    return try draw()
  }

  /// Records that `processSampleBuffer(_:with:)` is about to be called.
  func willDeliver() {
    state.withLock { $0.caller = pthread_self() }
    change(to: .processed)
  }

  /// Records that `processSampleBuffer(_:with:)` has returned.
  func didDeliver() { change(to: .held) }

  /// Assigns the memory to another frame, and returns the number of that frame.
  func beginFrame() -> UInt64 {
    state.withLock { state in
      state.frame += 1
      state.isRead = false
      return state.frame
    }
  }

  func willLock(_ frame: UInt64, byHardware: Bool) {
    var overlap: PictureOverlap?
    var wasTouched = false
    let isLate = change { state in
      guard state.isOf(frame) else {
        // The handler sees the pixels that are drawn by now.
        state.isExposed = true
        return true
      }
      wasTouched = state.takeTouch(ticket) && state.use != .drawing
      // If an overlap is drawn while the handler reads, the pages must stay writable.
      (state.isLocked, state.mayWrite) = (true, state.overlap != nil)
      if !byHardware, state.use == .processed, state.caller == pthread_self() { overlap = state.overlap }
      return false
    }
    if isLate { onMisuse?(.afterRelease) }
    if wasTouched { onMisuse?(.unlocked) }
    overlap?.begin { [weak self] bytes, start, plane in
      self?.draw(bytes, to: plane.offset + start, of: frame) ?? false
    }
  }

  func willWrite(_ frame: UInt64) { change { if $0.isOf(frame) { $0.mayWrite = true } } }

  func didUnlock(_ frame: UInt64) {
    let wasWritten = change { state in
      guard state.isOf(frame) else { return false }
      defer { (state.isLocked, state.mayWrite) = (false, false) }
      if state.overlap?.isDone == true { state.overlap = nil }
      return state.isLocked && !state.mayWrite && state.takeTouch(ticket)
    }
    if wasWritten { onMisuse?(.readOnlyWrite) }
  }

  func wasAccessedUnlocked(_ frame: UInt64) {
    // Make the memory accessible. With protected pages a system call would fail, while it succeeds on a device.
    let isLate = change { state in
      state.isExposed = true
      return !state.isOf(frame)
    }
    onMisuse?(isLate ? .afterRelease : .unlocked)
  }

  func wasUnlockedWithoutALock() { onMisuse?(.unlockedTwice) }

  func wasUnlockedWithOtherFlags() { onMisuse?(.lockFlags) }

  /// Records that the sample of a frame, or its pixel buffer, was released. The memory is then free for the next frame.
  func release(_ frame: UInt64, isPixelBufferRetained: Bool) {
    let wasRead = change { state -> Bool? in
      guard state.isOf(frame) else { return nil }
      // A handler that keeps the lock after the release of the sample reads pixels that are drawn later.
      defer { if isPixelBufferRetained { state.isLocked = false } }
      return state.isLocked && isPixelBufferRetained
    }
    guard let wasRead else { return }
    change(to: .free)
    if wasRead { onMisuse?(.afterRelease) }
  }

  /// Overwrites parts of the pixels with another frame of the same shape while the handler reads them.
  func setOverlap(_ overlap: PictureOverlap) { change { $0.overlap = overlap } }

  /// Copies bytes to an offset. Returns `false` if the frame is no longer locked. An unlock waits for the copy.
  private func draw(_ bytes: Span<UInt8>, to offset: Int, of frame: UInt64) -> Bool {
    state.withLock { state in
      guard state.isOf(frame), state.isLocked, state.use == .processed, state.overlap?.mayDraw() == true
      else { return false }
      // UNSAFE: both frames have the shape of the screen, and this memory is large enough for it. The handler reads at the same
      // time, which is the purpose of the fault.
      unsafe bytes.withUnsafeBytes { source in
        unsafe UnsafeMutableRawBufferPointer(start: base + offset, count: source.count)
          .copyMemory(from: source)
      }
      return true
    }
  }

  /// Begins another use, and reports the handler's misuses during the previous one.
  private func change(to use: Use) {
    var misuses: [HandlerMisuse] = []
    change { state in
      // The last reference may be released before the return of the call is recorded.
      if use == .held, state.use != .processed { return }
      let wasHandlers = state.use == .processed || state.use == .held
      if state.takeTouch(ticket), state.use != .drawing {
        misuses.append(!wasHandlers ? .afterRelease : state.isLocked ? .readOnlyWrite : .unlocked)
      }
      if use == .free {
        if state.isLocked, wasHandlers { misuses.append(.leftLocked) }
        (state.isLocked, state.overlap) = (false, nil)
      }
      if use == .free || use == .drawing { state.isExposed = false }
      state.use = use
    }
    for misuse in misuses { onMisuse?(misuse) }
  }

  /// Changes the state, and protects or unprotects the pages accordingly. The system can access them at any time.
  @discardableResult
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    state.withLock { state in
      let result = body(&state)
      let isAccessible = state.isLocked || state.isExposed || state.use == .drawing
      if isAccessible, !state.isRead, state.use == .processed || state.use == .held {
        state.isRead = true
        reads?.add()
      }
      let isReadOnly = state.isLocked && !state.mayWrite && !state.isExposed && state.use != .drawing
      let access = !isAccessible ? PROT_NONE : isReadOnly ? PROT_READ : PROT_READ | PROT_WRITE
      if isProtected, access != state.access {
        state.access = access
        // UNSAFE: the call covers all pages of this object, so it cannot fail.
        _ = unsafe mprotect(base, byteCount, access)
      }
      return result
    }
  }
}
