import Foundation

// Models the creation functions of CoreVideo/CVPixelBuffer.h.

/// Creates a pixel buffer of zeroed memory.
///
/// Rows are aligned to 64 bytes, as on devices, or to `kCVPixelBufferBytesPerRowAlignmentKey` of the attributes.
/// - Returns: `kCVReturnSuccess`, `kCVReturnInvalidSize`, `kCVReturnInvalidPixelFormat`,
///   `kCVReturnInvalidPixelBufferAttributes` or `kCVReturnAllocationFailed`.
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  let alignment = pixelBufferAttributes?[kCVPixelBufferBytesPerRowAlignmentKey] as? Int ?? 64
  switch PixelBufferLayout.make(width: width, height: height, format: pixelFormatType, alignment: alignment) {
  case .failure(let failure): return failure.code
  case .success(let layout):
    guard let storage = PixelStorage(byteCount: layout.byteCount) else { return kCVReturnAllocationFailed }
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe pixelBufferOut.pointee = CVBuffer(
      width: width, height: height, pixelFormat: pixelFormatType, layout: layout, storage: storage)
    return kCVReturnSuccess
  }
}

/// The callback for the release of a buffer over the caller's bytes.
public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?
  ) -> Void

/// Creates a planar pixel buffer over the caller's bytes; nothing is copied.
///
/// `releaseCallback` is called once, when the last reference to the buffer is released; the bytes must stay valid until
/// then.
/// - Returns: `kCVReturnSuccess`, `kCVReturnInvalidSize`, `kCVReturnInvalidPixelFormat`, or `kCVReturnInvalidArgument` for
///   planes that are impossible.
public func CVPixelBufferCreateWithPlanarBytes(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ dataPtr: UnsafeMutableRawPointer?, _ dataSize: Int, _ numberOfPlanes: Int,
  _ planeBaseAddress: UnsafeMutablePointer<UnsafeMutableRawPointer?>, _ planeWidth: UnsafeMutablePointer<Int>,
  _ planeHeight: UnsafeMutablePointer<Int>, _ planeBytesPerRow: UnsafeMutablePointer<Int>,
  _ releaseCallback: CVPixelBufferReleasePlanarBytesCallback?, _ releaseRefCon: UnsafeMutableRawPointer?,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  guard
    pixelFormatType == kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange
      || pixelFormatType == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  else { return kCVReturnInvalidPixelFormat }
  guard numberOfPlanes == 2 else { return kCVReturnInvalidArgument }
  guard (1...PixelBufferLayout.maximumDimension).contains(width),
    (1...PixelBufferLayout.maximumDimension).contains(height)
  else { return kCVReturnInvalidSize }

  var planes: [PixelBufferLayout.Plane] = []
  // UNSAFE: the buffer below takes the pointers.
  var bases = unsafe [UnsafeMutableRawPointer]()
  var byteCount = 0
  for index in 0..<numberOfPlanes {
    // UNSAFE: the caller's arrays of `numberOfPlanes` entries each, as the signature demands.
    guard let base = unsafe planeBaseAddress[index] else { return kCVReturnInvalidArgument }
    let plane = unsafe PixelBufferLayout.Plane(
      width: planeWidth[index], height: planeHeight[index], bytesPerRow: planeBytesPerRow[index], offset: 0)
    let bytesPerPixel = index == 0 ? 1 : 2
    guard plane.width > 0, plane.height > 0, plane.width <= plane.bytesPerRow / bytesPerPixel else {
      return kCVReturnInvalidArgument
    }
    // The numbers may come from a file: a product that overflows is an error and not a trap.
    let (planeBytes, isTooLarge) = plane.bytesPerRow.multipliedReportingOverflow(by: plane.height)
    guard !isTooLarge, planeBytes <= Int.max - byteCount else { return kCVReturnInvalidArgument }
    planes.append(plane)
    unsafe bases.append(base)
    byteCount += planeBytes
  }
  // UNSAFE: the callback gets the caller's own arguments, as in Core Video.
  let storage = unsafe PixelStorage(lent: bases[0]) { [bases] in
    var addresses = unsafe bases.map { unsafe UnsafeRawPointer?($0) }
    unsafe releaseCallback?(
      releaseRefCon, dataPtr.map { UnsafeRawPointer($0) }, dataSize, numberOfPlanes, &addresses)
  }
  unsafe pixelBufferOut.pointee = CVBuffer(
    width: width, height: height, pixelFormat: pixelFormatType,
    layout: PixelBufferLayout(planes: planes, isPlanar: true, byteCount: byteCount), planeBases: bases,
    storage: storage)
  return kCVReturnSuccess
}
