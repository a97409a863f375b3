// Models the accessors of CoreVideo/CVPixelBuffer.h.

/// Makes a buffer's memory accessible until the matching unlock. Locks nest.
@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.lock(lockFlags)
  return kCVReturnSuccess
}

/// Releases a lock, which has the same flags. The emulated system reports other flags for a screen buffer; Core Video leaves
/// their effect undefined.
/// - Returns: `kCVReturnSuccess`, or `kCVReturnInvalidArgument` when the buffer is not locked.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.unlock(unlockFlags) ? kCVReturnSuccess : kCVReturnInvalidArgument
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

/// Returns the bytes of the memory: the pixels with the padding of the rows, and the descriptor of planes.
public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.layout.byteCount }

/// Returns the pixels around the image, which encoders use: none.
public func CVPixelBufferGetExtendedPixels(
  _ pixelBuffer: CVPixelBuffer, _ extraColumnsOnLeft: UnsafeMutablePointer<Int>?,
  _ extraColumnsOnRight: UnsafeMutablePointer<Int>?, _ extraRowsOnTop: UnsafeMutablePointer<Int>?,
  _ extraRowsOnBottom: UnsafeMutablePointer<Int>?
) {
  // UNSAFE: the caller's out parameters, valid for the call.
  unsafe extraColumnsOnLeft?.pointee = 0
  unsafe extraColumnsOnRight?.pointee = 0
  unsafe extraRowsOnTop?.pointee = 0
  unsafe extraRowsOnBottom?.pointee = 0
}

/// Where a plane is. The numbers have their most significant byte first.
public struct CVPlanarComponentInfo: Sendable {
  /// The bytes from the base address of the buffer to the plane.
  public var offset: Int32
  /// The bytes from one row of the plane to the next.
  public var rowBytes: UInt32

  /// Creates the place of a plane.
  public init(offset: Int32 = 0, rowBytes: UInt32 = 0) { (self.offset, self.rowBytes) = (offset, rowBytes) }
}

/// The planes of luma and chroma: what is at the base address of a buffer in 420f and 420v.
public struct CVPlanarPixelBufferInfo_YCbCrBiPlanar: Sendable {
  /// The plane of luma.
  public var componentInfoY: CVPlanarComponentInfo
  /// The plane of chroma.
  public var componentInfoCbCr: CVPlanarComponentInfo

  /// Creates the places of two planes.
  public init(
    componentInfoY: CVPlanarComponentInfo = CVPlanarComponentInfo(),
    componentInfoCbCr: CVPlanarComponentInfo = CVPlanarComponentInfo()
  ) {
    (self.componentInfoY, self.componentInfoCbCr) = (componentInfoY, componentInfoCbCr)
  }

  init(_ layout: PixelBufferLayout) {
    func info(_ plane: PixelBufferLayout.Plane) -> CVPlanarComponentInfo {
      CVPlanarComponentInfo(
        offset: Int32(plane.offset).bigEndian, rowBytes: UInt32(plane.bytesPerRow).bigEndian)
    }
    self.init(componentInfoY: info(layout.planes[0]), componentInfoCbCr: info(layout.planes[1]))
  }
}

/// Returns the address of the pixels of a locked buffer, otherwise `nil`.
///
/// With planes it is the address of a ``CVPlanarPixelBufferInfo_YCbCrBiPlanar``, and not of a pixel: see
/// ``CVPixelBufferGetBaseAddressOfPlane(_:_:)``. An unlocked screen buffer returns its address too, as it often does on a device, and the emulated system reports the
/// mistake.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  unsafe pixelBuffer.isAddressAvailable ? pixelBuffer.base : nil
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
