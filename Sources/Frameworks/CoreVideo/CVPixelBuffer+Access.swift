/// Makes a buffer's memory reachable until the matching unlock. Locks nest.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.lock()
  return kCVReturnSuccess
}

/// Gives one lock back. `kCVReturnInvalidArgument` when the buffer is not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.unlock() ? kCVReturnSuccess : kCVReturnInvalidArgument
}

/// The width of a buffer, in pixels.
public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.width }

/// The height of a buffer, in pixels.
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.height }

/// The pixel format of a buffer, a four-character code.
public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.pixelFormat
}

/// Whether a buffer has planes.
public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.layout.isPlanar }

/// The number of planes; 0 for a buffer without planes.
public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.layout.isPlanar ? pixelBuffer.layout.planes.count : 0
}

/// The number of bytes the pixels take, padding of the rows included.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.layout.byteCount }

/// Where the pixels start, while the buffer is locked; `nil` otherwise.
///
/// Of a buffer that the system lends, as a screen's, the address is given all the same and the mistake reported: on a
/// device it often works.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  unsafe pixelBuffer.mayBeReached ? pixelBuffer.planeBases[0] : nil
}

/// The bytes from one row to the next; of the first plane when there are planes.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.layout.planes[0].bytesPerRow
}

/// Where a plane's pixels start, while the buffer is locked; `nil` otherwise or when there is no such plane.
public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  guard pixelBuffer.layout.planes.indices.contains(planeIndex), pixelBuffer.mayBeReached else { return nil }
  return unsafe pixelBuffer.planeBases[planeIndex]
}

/// The bytes from one row of a plane to the next; 0 when there is no such plane.
public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.bytesPerRow ?? 0
}

/// The width of a plane, in its own samples; 0 when there is no such plane.
public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.width ?? 0
}

/// The height of a plane, in rows; 0 when there is no such plane.
public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.height ?? 0
}

private func plane(_ index: Int, of pixelBuffer: CVPixelBuffer) -> PixelBufferLayout.Plane? {
  let planes = pixelBuffer.layout.planes
  return planes.indices.contains(index) ? planes[index] : nil
}
