import CoreVideo

/// Where a plane lies among bytes, and its shape.
public struct LentPlane: Sendable, Equatable {
  /// From the first of the bytes to the plane's first.
  public var offset: Int
  /// The plane's shape.
  public var shape: PlaneShape

  /// A plane from its place and its shape.
  public init(offset: Int, shape: PlaneShape) {
    self.offset = offset
    self.shape = shape
  }
}

extension CVBuffer {
  /// A planar pixel buffer over bytes that somebody else owns; nothing is copied. It is for reading: the bytes may be
  /// mapped so that a write ends the process.
  ///
  /// - Parameters:
  ///   - bytes: what the planes lie in. They must be where they are for as long as `owner` lives.
  ///   - owner: kept until the last reference to the buffer goes.
  public static func lending(
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
    // UNSAFE: the addresses outlive the span by the caller's word, and `owner` is kept until the callback. Core Video
    // takes them as writable, which they need not be: whoever gets the buffer only reads.
    let code = unsafe bytes.withUnsafeBytes { memory in
      var bases = unsafe planes.map { plane in
        unsafe UnsafeMutableRawPointer(mutating: memory.baseAddress.map { unsafe $0 + plane.offset })
      }
      return unsafe CVPixelBufferCreateWithPlanarBytes(
        kCFAllocatorDefault, width, height, pixelFormat, nil, memory.count, planes.count, &bases, &widths,
        &heights, &bytesPerRow, { owner, _, _, _, _ in unsafe owner.map(forget) },
        Unmanaged.passRetained(owner).toOpaque(), nil, &buffer)
    }
    guard code == kCVReturnSuccess, let buffer else {
      // UNSAFE: the callback is not called for a buffer that was not made.
      unsafe Unmanaged.passUnretained(owner).release()
      throw PixelBufferError(code: code, width: width, height: height, pixelFormat: pixelFormat)
    }
    return buffer
  }
}

/// Lets go of the owner of lent bytes.
private func forget(_ owner: UnsafeMutableRawPointer) {
  // UNSAFE: the reference that `lending` handed over, given back once.
  unsafe Unmanaged<AnyObject>.fromOpaque(owner).release()
}
