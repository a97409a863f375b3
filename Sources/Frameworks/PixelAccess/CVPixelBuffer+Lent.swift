import CoreVideo

extension CVBuffer {
  /// Creates a pixel buffer with two planes over existing bytes; nothing is copied. It is for reading: a write ends the
  /// process when the bytes are mapped read-only.
  ///
  /// - Parameters:
  ///   - bytes: the memory of the planes, which must keep its address as long as `owner` lives.
  ///   - owner: an object that the buffer retains.
  /// - Throws: a `PixelBufferError` when Core Video refuses the format, the size or a plane.
  package static func lending(
    _ bytes: Span<UInt8>, luma: LentPlane, chroma: LentPlane, width: Int, height: Int, pixelFormat: OSType,
    keeping owner: some AnyObject & Sendable
  ) throws(PixelBufferError) -> CVPixelBuffer {
    precondition(luma.isWithin(bytes) && chroma.isWithin(bytes), "a plane is outside of the bytes")
    // Core Video's three arrays in one, on the stack: an allocation would delay each leased frame.
    var shapes: InlineArray<6, Int> = [
      luma.shape.width, chroma.shape.width, luma.shape.height, chroma.shape.height, luma.shape.bytesPerRow,
      chroma.shape.bytesPerRow,
    ]
    var buffer: CVPixelBuffer?
    // UNSAFE: released by the callback, or below if there is no buffer.
    let retained = unsafe Unmanaged.passRetained(owner)
    // UNSAFE: the caller promises that the addresses outlive the span while `owner` lives, and the callback releases
    // it. Core Video takes the addresses as writable; the buffer's users only read.
    let code = unsafe bytes.withUnsafeBytes { memory in
      let base = unsafe UnsafeMutableRawPointer(mutating: memory.baseAddress)
      var bases: InlineArray<2, UnsafeMutableRawPointer?> = unsafe [
        base.map { unsafe $0 + luma.offset }, base.map { unsafe $0 + chroma.offset },
      ]
      var basesSpan = unsafe bases.mutableSpan
      var shapesSpan = shapes.mutableSpan
      return unsafe basesSpan.withUnsafeMutableBufferPointer { bases in
        unsafe shapesSpan.withUnsafeMutableBufferPointer { shapes in
          guard let bases = bases.baseAddress, let shapes = shapes.baseAddress else { return kCVReturnError }
          return unsafe CVPixelBufferCreateWithPlanarBytes(
            kCFAllocatorDefault, width, height, pixelFormat, nil, memory.count, 2, bases, shapes, shapes + 2,
            shapes + 4, { owner, _, _, _, _ in unsafe owner.map(release) },
            retained.toOpaque(), nil, &buffer)
        }
      }
    }
    guard code == kCVReturnSuccess, let buffer else {
      // UNSAFE: Core Video does not call the callback of a buffer it did not create.
      unsafe retained.release()
      throw PixelBufferError(code: code, width: width, height: height, pixelFormat: pixelFormat)
    }
    return buffer
  }
}

private func release(_ owner: UnsafeMutableRawPointer) {
  // UNSAFE: balances `passRetained` in `lending`, once.
  unsafe Unmanaged<AnyObject>.fromOpaque(owner).release()
}
