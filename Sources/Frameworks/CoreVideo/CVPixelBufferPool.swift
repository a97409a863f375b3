import Synchronization

/// A pool of pixel buffers of one description, whose memory is reused. Models CoreVideo/CVPixelBufferPool.h.
public final class CVPixelBufferPool: Sendable {
  let width: Int
  let height: Int
  let pixelFormat: OSType
  let layout: PixelBufferLayout
  private let state: Mutex<State>

  private struct State {
    var idle: [PixelStorage] = []
    var inUse = 0
  }

  init(width: Int, height: Int, pixelFormat: OSType, layout: PixelBufferLayout) {
    self.width = width
    self.height = height
    self.pixelFormat = pixelFormat
    self.layout = layout
    state = Mutex(State())
  }

  func makeBuffer(threshold: Int) -> Result<CVPixelBuffer, PixelBufferLayout.Failure> {
    let storage: Result<PixelStorage, PixelBufferLayout.Failure> = state.withLock { state in
      guard state.inUse < threshold else {
        return .failure(.init(code: kCVReturnWouldExceedAllocationThreshold))
      }
      guard let storage = state.idle.popLast() ?? PixelStorage(byteCount: layout.byteCount) else {
        return .failure(.init(code: kCVReturnAllocationFailed))
      }
      state.inUse += 1
      return .success(storage)
    }
    return storage.map { storage in
      // UNSAFE: only because of the type of a parameter that has its default.
      unsafe CVBuffer(
        width: width, height: height, pixelFormat: pixelFormat, layout: layout, storage: storage
      ) {
        [weak self] storage in self?.reclaim(storage)
      }
    }
  }

  /// The bytes of all buffers, in use or idle. For the emulated system; not Core Video's.
  package var byteCount: Int {
    state.withLock { ($0.idle.count + $0.inUse) * layout.byteCount }
  }

  func discardIdle() { state.withLock { $0.idle.removeAll() } }

  private func reclaim(_ storage: PixelStorage) {
    state.withLock { state in
      state.inUse -= 1
      state.idle.append(storage)
    }
  }
}

/// Creates a pool of buffers with the width, the height and the pixel format of `pixelBufferAttributes`.
/// - Returns: `kCVReturnSuccess`, `kCVReturnInvalidPoolAttributes`, or a code of ``CVPixelBufferCreate(_:_:_:_:_:_:)``.
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
  _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  guard let attributes = pixelBufferAttributes,
    let width = attributes[kCVPixelBufferWidthKey] as? Int,
    let height = attributes[kCVPixelBufferHeightKey] as? Int,
    let format = attributes[kCVPixelBufferPixelFormatTypeKey] as? OSType
  else { return kCVReturnInvalidPoolAttributes }
  let alignment = attributes[kCVPixelBufferBytesPerRowAlignmentKey] as? Int ?? 64
  switch PixelBufferLayout.make(width: width, height: height, format: format, alignment: alignment) {
  case .failure(let failure): return failure.code
  case .success(let layout):
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe poolOut.pointee = CVPixelBufferPool(
      width: width, height: height, pixelFormat: format, layout: layout)
    return kCVReturnSuccess
  }
}

/// Creates a buffer from a pool, with undefined pixels.
public func CVPixelBufferPoolCreatePixelBuffer(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  unsafe CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

/// Creates a buffer from a pool unless `kCVPixelBufferPoolAllocationThresholdKey` buffers are in use.
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  let threshold = auxAttributes?[kCVPixelBufferPoolAllocationThresholdKey] as? Int ?? Int.max
  switch pixelBufferPool.makeBuffer(threshold: threshold) {
  case .failure(let failure): return failure.code
  case .success(let buffer):
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe pixelBufferOut.pointee = buffer
    return kCVReturnSuccess
  }
}

/// Options of a flush, as bits.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
  /// Core Video's bits.
  public let rawValue: UInt64

  /// Creates flags from Core Video's bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Frees all idle buffers.
  public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Frees the memory of a pool's idle buffers.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
  pool.discardIdle()
}
