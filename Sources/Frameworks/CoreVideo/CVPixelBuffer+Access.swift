// Models the accessors of CoreVideo/CVPixelBuffer.h.

/// Makes a buffer's memory accessible until the matching unlock. Locks nest.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.lock()
  return kCVReturnSuccess
}

/// Releases a lock.
/// - Returns: `kCVReturnSuccess`, or `kCVReturnInvalidArgument` when the buffer is not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.unlock() ? kCVReturnSuccess : kCVReturnInvalidArgument
}

/// Returns the width of a buffer, in pixels.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.layout.width }

/// Returns the height of a buffer, in pixels.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.layout.height }

/// Returns the pixel format of a buffer, a four-character code.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.pixelFormat
}

/// Returns whether a buffer has planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.layout.isPlanar }

/// Returns the number of planes; zero for a buffer without planes.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.layout.isPlanar ? pixelBuffer.layout.planes.count : 0
}

/// Returns the size of the pixels, padding of the rows included, in bytes.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.layout.byteCount }

/// Returns the address of the pixels of a locked buffer, otherwise `nil`.
///
/// An unlocked screen buffer returns its address too, as it often does on a device, and the emulated system reports the
/// mistake.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  unsafe pixelBuffer.isAddressAvailable ? pixelBuffer.planeBases[0] : nil
}

/// Returns the bytes from one row to the next. With planes it is a number that covers all planes when it is multiplied by
/// the height, and not the row of a plane.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.layout.bytesPerRow
}

/// Returns the address of a plane of a locked buffer; `nil` otherwise, and for a plane that does not exist.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  guard pixelBuffer.layout.planes.indices.contains(planeIndex), pixelBuffer.isAddressAvailable else {
    return nil
  }
  return unsafe pixelBuffer.planeBases[planeIndex]
}

/// Returns the bytes from one row of a plane to the next; zero for a plane that does not exist.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.bytesPerRow ?? 0
}

/// Returns the width of a plane, in its own samples; zero for a plane that does not exist.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.width ?? 0
}

/// Returns the height of a plane, in rows; zero for a plane that does not exist.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.height ?? 0
}

private func plane(_ index: Int, of pixelBuffer: CVPixelBuffer) -> PixelBufferLayout.Plane? {
  let planes = pixelBuffer.layout.planes
  return planes.indices.contains(index) ? planes[index] : nil
}
