import Synchronization

public final class CVPixelBufferPool: Sendable {
  let pixelFormat: OSType
  let layout: PixelBufferLayout
  private let state = Mutex(State())

  private struct State {
    var idle: [PixelStorage] = []
    var inUse = 0
  }

  init(pixelFormat: OSType, layout: PixelBufferLayout) {
    self.pixelFormat = pixelFormat
    self.layout = layout
  }

  func makeBuffer(threshold: Int) throws(PixelBufferLayout.Failure) -> CVPixelBuffer {
    let storage = try state.withLock { state throws(PixelBufferLayout.Failure) in
      guard state.inUse < threshold else { throw .init(code: kCVReturnWouldExceedAllocationThreshold) }
      guard let storage = state.idle.popLast() ?? PixelStorage(byteCount: layout.byteCount) else {
        throw .init(code: kCVReturnAllocationFailed)
      }
      state.inUse += 1
      return storage
    }
    // UNSAFE: the closure that returns the storage to the pool retains it until then.
    let lent = unsafe PixelStorage(lent: storage.base) { [weak self] in
      self?.state.withLock { state in
        state.inUse -= 1
        state.idle.append(storage)
      }
    }
    return CVBuffer(pixelFormat: pixelFormat, layout: layout, storage: lent)
  }

  /// The bytes of all buffers, in use or idle. Not in Core Video; for the emulated system.
  package var byteCount: Int {
    state.withLock { ($0.idle.count + $0.inUse) * layout.byteCount }
  }

  func discardIdle() { state.withLock { $0.idle.removeAll() } }
}

/// If the attributes have several pixel formats, the pool uses the first that is supported here.
@discardableResult
public func CVPixelBufferPoolCreate(
  _ allocator: CFAllocator?, _ poolAttributes: CFDictionary?, _ pixelBufferAttributes: CFDictionary?,
  _ poolOut: UnsafeMutablePointer<CVPixelBufferPool?>
) -> CVReturn {
  guard let attributes = pixelBufferAttributes,
    let width = attributes.integer(kCVPixelBufferWidthKey),
    let height = attributes.integer(kCVPixelBufferHeightKey),
    let format = attributes.pixelFormat
  else { return kCVReturnInvalidPoolAttributes }
  let alignment = attributes.integer(kCVPixelBufferBytesPerRowAlignmentKey) ?? 64
  do {
    let layout = try PixelBufferLayout(width: width, height: height, format: format, alignment: alignment)
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe poolOut.pointee = CVPixelBufferPool(pixelFormat: format, layout: layout)
    return kCVReturnSuccess
  } catch {
    return error.code
  }
}

@discardableResult
public func CVPixelBufferPoolCreatePixelBuffer(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  unsafe CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(allocator, pixelBufferPool, nil, pixelBufferOut)
}

@discardableResult
public func CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(
  _ allocator: CFAllocator?, _ pixelBufferPool: CVPixelBufferPool, _ auxAttributes: CFDictionary?,
  _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  let threshold = auxAttributes?.integer(kCVPixelBufferPoolAllocationThresholdKey) ?? Int.max
  do {
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe pixelBufferOut.pointee = try pixelBufferPool.makeBuffer(threshold: threshold)
    return kCVReturnSuccess
  } catch {
    return error.code
  }
}

public struct CVPixelBufferPoolFlushFlags: OptionSet, Sendable {
  public let rawValue: UInt64

  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public static let excessBuffers = CVPixelBufferPoolFlushFlags(rawValue: 1)
}

public func CVPixelBufferPoolFlush(_ pool: CVPixelBufferPool, _ options: CVPixelBufferPoolFlushFlags) {
  pool.discardIdle()
}
