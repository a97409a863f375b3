import CoreVideo

extension CVBuffer {
  /// Creates a planar pixel buffer over existing bytes; nothing is copied. It is for reading: a write ends the process
  /// when the bytes are mapped read-only.
  ///
  /// - Parameters:
  ///   - bytes: the memory of the planes, which must keep its address as long as `owner` lives.
  ///   - owner: an object that the buffer retains.
  /// - Throws: a `PixelBufferError` when Core Video refuses the format, the size or a plane.
  package static func lending(
    _ bytes: Span<UInt8>, planes: [LentPlane], width: Int, height: Int, pixelFormat: OSType,
    keeping owner: some AnyObject & Sendable
  ) throws(PixelBufferError) -> CVPixelBuffer {
    for plane in planes {
      precondition(
        plane.offset >= 0 && plane.shape.byteCount >= 0
          && plane.offset <= bytes.count - plane.shape.byteCount, "a plane is outside of the bytes")
    }
    var widths = planes.map(\.shape.width)
    var heights = planes.map(\.shape.height)
    var bytesPerRow = planes.map(\.shape.bytesPerRow)
    var buffer: CVPixelBuffer?
    // UNSAFE: the caller promises that the addresses outlive the span while `owner` lives, and the callback releases
    // it. Core Video takes the addresses as writable; the buffer's users only read.
    let code = unsafe bytes.withUnsafeBytes { memory in
      var bases = unsafe planes.map { plane in
        unsafe UnsafeMutableRawPointer(mutating: memory.baseAddress.map { unsafe $0 + plane.offset })
      }
      return unsafe CVPixelBufferCreateWithPlanarBytes(
        kCFAllocatorDefault, width, height, pixelFormat, nil, memory.count, planes.count, &bases, &widths,
        &heights, &bytesPerRow, { owner, _, _, _, _ in unsafe owner.map(release) },
        Unmanaged.passRetained(owner).toOpaque(), nil, &buffer)
    }
    guard code == kCVReturnSuccess, let buffer else {
      // UNSAFE: Core Video does not call the callback of a buffer it did not create.
      unsafe Unmanaged.passUnretained(owner).release()
      throw PixelBufferError(code: code, width: width, height: height, pixelFormat: pixelFormat)
    }
    return buffer
  }
}

private func release(_ owner: UnsafeMutableRawPointer) {
  // UNSAFE: balances `passRetained` in `lending`, once.
  unsafe Unmanaged<AnyObject>.fromOpaque(owner).release()
}
