// Models the accessors in CoreVideo/CVPixelBuffer.h.

@discardableResult
public func CVPixelBufferLockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ lockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.lock(lockFlags)
  return kCVReturnSuccess
}

/// For a screen buffer, the emulated system reports flags that differ from the flags of the lock. Core Video leaves their
/// effect undefined.
@discardableResult
public func CVPixelBufferUnlockBaseAddress(
  _ pixelBuffer: CVPixelBuffer, _ unlockFlags: CVPixelBufferLockFlags
) -> CVReturn {
  pixelBuffer.unlock(unlockFlags) ? kCVReturnSuccess : kCVReturnInvalidArgument
}

public func CVPixelBufferGetWidth(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.layout.width }
public func CVPixelBufferGetHeight(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.layout.height }

public func CVPixelBufferGetPixelFormatType(_ pixelBuffer: CVPixelBuffer) -> OSType {
  pixelBuffer.pixelFormat
}

public func CVPixelBufferIsPlanar(_ pixelBuffer: CVPixelBuffer) -> Bool { pixelBuffer.layout.isPlanar }

public func CVPixelBufferGetPlaneCount(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.layout.isPlanar ? pixelBuffer.layout.planes.count : 0
}

public func CVPixelBufferGetDataSize(_ pixelBuffer: CVPixelBuffer) -> Int { pixelBuffer.layout.byteCount }

/// Zeros: there are no pixels around an image here.
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

/// The numbers are big-endian: the most significant byte is first.
public struct CVPlanarComponentInfo: Sendable {
  public var offset: Int32
  public var rowBytes: UInt32

  public init(offset: Int32 = 0, rowBytes: UInt32 = 0) {
    self.offset = offset
    self.rowBytes = rowBytes
  }
}

/// The data at the base address of a 420f or 420v buffer.
public struct CVPlanarPixelBufferInfo_YCbCrBiPlanar: Sendable {
  public var componentInfoY: CVPlanarComponentInfo
  public var componentInfoCbCr: CVPlanarComponentInfo

  public init(
    componentInfoY: CVPlanarComponentInfo = CVPlanarComponentInfo(),
    componentInfoCbCr: CVPlanarComponentInfo = CVPlanarComponentInfo()
  ) {
    self.componentInfoY = componentInfoY
    self.componentInfoCbCr = componentInfoCbCr
  }

  init(_ layout: PixelBufferLayout) {
    func info(_ plane: PixelBufferLayout.Plane) -> CVPlanarComponentInfo {
      CVPlanarComponentInfo(
        offset: Int32(plane.offset).bigEndian, rowBytes: UInt32(plane.bytesPerRow).bigEndian)
    }
    self.init(componentInfoY: info(layout.planes[0]), componentInfoCbCr: info(layout.planes[1]))
  }
}

/// With planes, it is the address of a ``CVPlanarPixelBufferInfo_YCbCrBiPlanar``, not of a pixel: see
/// ``CVPixelBufferGetBaseAddressOfPlane(_:_:)``. As often on a device, an unlocked screen buffer returns its address
/// too; the emulated system reports the mistake.
public func CVPixelBufferGetBaseAddress(_ pixelBuffer: CVPixelBuffer) -> UnsafeMutableRawPointer? {
  unsafe pixelBuffer.isAddressAvailable ? pixelBuffer.base : nil
}

/// With planes, the product with the height covers all planes. It is not the row length of a plane.
public func CVPixelBufferGetBytesPerRow(_ pixelBuffer: CVPixelBuffer) -> Int {
  pixelBuffer.layout.bytesPerRow
}

public func CVPixelBufferGetBaseAddressOfPlane(
  _ pixelBuffer: CVPixelBuffer, _ planeIndex: Int
) -> UnsafeMutableRawPointer? {
  guard pixelBuffer.layout.planes.indices.contains(planeIndex), pixelBuffer.isAddressAvailable else {
    return nil
  }
  return unsafe pixelBuffer.planeBases[planeIndex]
}

public func CVPixelBufferGetBytesPerRowOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.bytesPerRow ?? 0
}

public func CVPixelBufferGetWidthOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.width ?? 0
}

public func CVPixelBufferGetHeightOfPlane(_ pixelBuffer: CVPixelBuffer, _ planeIndex: Int) -> Int {
  plane(planeIndex, of: pixelBuffer)?.height ?? 0
}

private func plane(_ index: Int, of pixelBuffer: CVPixelBuffer) -> PixelBufferLayout.Plane? {
  let planes = pixelBuffer.layout.planes
  return planes.indices.contains(index) ? planes[index] : nil
}
