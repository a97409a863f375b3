import CPixels

// Models vImage_Types.h, and the function of Geometry.h that scales pixels of four bytes.

public typealias vImage_Error = Int
public typealias vImage_Flags = UInt32
public typealias vImagePixelCount = UInt

public let kvImageNoError: vImage_Error = 0
public let kvImageInvalidParameter: vImage_Error = -21773
public let kvImageNoFlags = 0
/// Without effect.
public let kvImageHighQualityResampling = 32

@safe
public struct vImage_Buffer {
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  public var data: UnsafeMutableRawPointer!
  public var height: vImagePixelCount
  public var width: vImagePixelCount
  public var rowBytes: Int

  public init(
    data: UnsafeMutableRawPointer!, height: vImagePixelCount, width: vImagePixelCount, rowBytes: Int
  ) {
    unsafe self.data = unsafe data
    (self.height, self.width, self.rowBytes) = (height, width, rowBytes)
  }

  public init() { unsafe self.init(data: nil, height: 0, width: 0, rowBytes: 0) }

  /// The rows of pixels; `nil` without memory or pixels, and if a row is longer than `rowBytes`.
  fileprivate var bitmap: cpixels_bitmap? {
    guard let memory = unsafe data, let width = Int32(exactly: width), let height = Int32(exactly: height),
      width > 0, height > 0, rowBytes / 4 >= Int(width)
    else { return nil }
    // UNSAFE: the caller's memory for these rows.
    return unsafe cpixels_bitmap(
      bytes: memory.assumingMemoryBound(to: UInt8.self), bytes_per_row: rowBytes, width: width,
      height: height)
  }
}

/// A pixel is the mean of positions in its area. A device filters with Lanczos' function.
@discardableResult
public func vImageScale_ARGB8888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>,
  _ tempBuffer: UnsafeMutableRawPointer!, _ flags: vImage_Flags
) -> vImage_Error {
  // UNSAFE: the caller's buffers have the rows that they state.
  guard var source = unsafe src.pointee.bitmap, var target = unsafe dest.pointee.bitmap else {
    return kvImageInvalidParameter
  }
  let x = unsafe Double(source.width) / Double(target.width)
  let y = unsafe Double(source.height) / Double(target.height)
  let taps = Int32(min(4, max(x, y).rounded(.up)))
  unsafe cpixels_draw(
    &source, &target, 0, 0, target.width, target.height, [x, 0, 0, y, 0, 0], [0, 1, 2, 3], taps, 0)
  return kvImageNoError
}

@available(*, unavailable, message: "The emulator has vImageScale_ARGB8888 alone: use CIContext and CIImage.")
public func vImagePermuteChannels_ARGB8888(
  _ src: UnsafePointer<vImage_Buffer>, _ dest: UnsafePointer<vImage_Buffer>,
  _ permuteMap: UnsafePointer<UInt8>, _ flags: vImage_Flags
) -> vImage_Error { 0 }
