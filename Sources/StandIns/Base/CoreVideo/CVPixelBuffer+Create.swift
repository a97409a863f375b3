import Foundation

// Models the creation functions in CoreVideo/CVPixelBuffer.h.

/// Supports 420f, 420v and 32BGRA; returns `kCVReturnInvalidPixelFormat` for other formats. The memory is zeroed. Rows
/// are aligned to `kCVPixelBufferBytesPerRowAlignmentKey` of the attributes (default: 64 bytes, as on devices).
@discardableResult
public func CVPixelBufferCreate(
  _ allocator: CFAllocator?, _ width: Int, _ height: Int, _ pixelFormatType: OSType,
  _ pixelBufferAttributes: CFDictionary?, _ pixelBufferOut: UnsafeMutablePointer<CVPixelBuffer?>
) -> CVReturn {
  let alignment = pixelBufferAttributes?.integer(kCVPixelBufferBytesPerRowAlignmentKey) ?? 64
  do {
    let layout = try PixelBufferLayout(
      width: width, height: height, format: pixelFormatType, alignment: alignment)
    guard let storage = PixelStorage(byteCount: layout.byteCount) else { return kCVReturnAllocationFailed }
    // UNSAFE: the caller's out parameter, valid for the call.
    unsafe pixelBufferOut.pointee = CVBuffer(pixelFormat: pixelFormatType, layout: layout, storage: storage)
    return kCVReturnSuccess
  } catch {
    return error.code
  }
}

extension CVBuffer {
  /// Creates a buffer; `nil` for an invalid size and if there is no memory.
  package static func make(
    width: Int, height: Int, pixelFormat: OSType = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
  ) -> CVPixelBuffer? {
    var buffer: CVPixelBuffer?
    // UNSAFE: the out parameter is a local variable.
    unsafe CVPixelBufferCreate(kCFAllocatorDefault, width, height, pixelFormat, nil, &buffer)
    return buffer
  }
}

public typealias CVPixelBufferReleasePlanarBytesCallback =
  @convention(c) (
    UnsafeMutableRawPointer?, UnsafeRawPointer?, Int, Int, UnsafeMutablePointer<UnsafeRawPointer?>?
  ) -> Void

/// `dataPtr` is a descriptor of the planes. It becomes the base address.
@discardableResult
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
  // UNSAFE: the caller's arrays of two entries each, as the signature demands; the buffer takes the addresses.
  let planes = unsafe [
    PixelBufferLayout.Plane(width: planeWidth[0], height: planeHeight[0], bytesPerRow: planeBytesPerRow[0]),
    PixelBufferLayout.Plane(width: planeWidth[1], height: planeHeight[1], bytesPerRow: planeBytesPerRow[1]),
  ]
  do {
    let layout = try PixelBufferLayout(width: width, height: height, planes: planes)
    guard let luma = unsafe planeBaseAddress[0], let chroma = unsafe planeBaseAddress[1] else {
      return kCVReturnInvalidArgument
    }
    // UNSAFE: the callback gets the caller's own arguments, as in Core Video.
    let storage = unsafe PixelStorage(lent: luma) {
      var addresses = unsafe [UnsafeRawPointer?(luma), UnsafeRawPointer(chroma)]
      unsafe releaseCallback?(
        releaseRefCon, dataPtr.map { UnsafeRawPointer($0) }, dataSize, numberOfPlanes, &addresses)
    }
    unsafe pixelBufferOut.pointee = CVBuffer(
      pixelFormat: pixelFormatType, layout: layout, chroma: chroma, descriptor: dataPtr, storage: storage)
    return kCVReturnSuccess
  } catch {
    return error.code
  }
}
