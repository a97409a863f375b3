import Synchronization

/// A supply of pixel buffers of one description, whose memory is used again when a buffer is released.
public final class CVPixelBufferPool: Sendable {
  let width: Int
  let height: Int
  let pixelFormat: OSType
  let layout: PixelBufferLayout
  private let state: Mutex<State>

  private struct State {
    var idle: [PixelStorage] = []
    var givenOut = 0
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
      guard state.givenOut < threshold else {
        return .failure(.init(code: kCVReturnWouldExceedAllocationThreshold))
      }
      guard let storage = state.idle.popLast() ?? PixelStorage(byteCount: layout.byteCount) else {
        return .failure(.init(code: kCVReturnAllocationFailed))
      }
      state.givenOut += 1
      return .success(storage)
    }
    return storage.map { storage in
      // UNSAFE: only by the type of a parameter left at its default.
      unsafe CVBuffer(
        width: width, height: height, pixelFormat: pixelFormat, layout: layout, storage: storage
      ) {
        [weak self] storage in self?.takeBack(storage)
      }
    }
  }

  /// The bytes of its buffers, given out or not. Not Core Video's: the emulated system asks.
  package var byteCount: Int {
    state.withLock { ($0.idle.count + $0.givenOut) * layout.byteCount }
  }

  func discardIdle() { state.withLock { $0.idle.removeAll() } }

  private func takeBack(_ storage: PixelStorage) {
    state.withLock { state in
      state.givenOut -= 1
      state.idle.append(storage)
    }
  }
}

/// Creates a pool. `pixelBufferAttributes` gives the width, the height and the pixel format of its buffers.
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

/// Takes a buffer from a pool. Its pixels are whatever the buffer before it left there.
public func CVPixelBufferPoolCreatePixelBuffer(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  unsafe CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

/// Takes a buffer from a pool unless more than `kCVPixelBufferPoolAllocationThresholdKey` are already out.
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

/// What a flush of a pool frees.
public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
  /// The flags as Core Video's bits.
  public let rawValue: UInt64

  /// Flags from Core Video's bits.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Free every buffer that nobody holds.
  public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

/// Frees the memory of a pool's buffers that nobody holds.
public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
  pool.discardIdle()
}
