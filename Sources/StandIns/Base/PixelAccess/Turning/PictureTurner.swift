import CPixels
import CoreVideo

/// Rotates pixel buffers upright, for outputs that cannot carry a rotation.
///
/// ```swift
/// var turner = PictureTurner()
/// let upright = try turner.turn(pixelBuffer, by: .quarter)
/// ```
///
/// The upright buffer has the attachments of the stored buffer. Its memory is reused after its release.
package struct PictureTurner: Sendable {
  /// A broadcast has two shapes: portrait and landscape.
  private var pool = AdaptivePixelBufferPool(shapes: 2)

  package init() {}

  /// Returns a 420f or 420v buffer rotated clockwise by `rotation`; the same buffer if there is no rotation. A quarter
  /// turn swaps width and height.
  ///
  /// Samples are moved and never mixed, so four quarter turns restore the original. If a width or height is odd, and
  /// its last column or row moves to the left or the top, chroma shifts by one pixel.
  package mutating func turn(
    _ pixelBuffer: CVPixelBuffer, by rotation: PictureRotation
  ) throws(Error) -> CVPixelBuffer {
    let format = CVPixelBufferGetPixelFormatType(pixelBuffer)
    guard SampleRange(pixelFormat: format) != nil else { throw .pixelFormat(format) }
    guard rotation != .none else { return pixelBuffer }
    let (luma, chroma) = (pixelBuffer.planeShape(0), pixelBuffer.planeShape(1))
    guard chroma.width == (luma.width + 1) / 2, chroma.height == (luma.height + 1) / 2 else {
      throw .chromaSize(width: chroma.width, height: chroma.height)
    }
    let size = rotation.uprightSize(width: luma.width, height: luma.height)
    let upright: CVPixelBuffer
    do {
      upright = try pool.makeBuffer(width: size.width, height: size.height, pixelFormat: format)
    } catch {
      throw .pixelBuffer(error)
    }
    CVBufferPropagateAttachments(pixelBuffer, upright)
    for plane in 0..<2 {
      pixelBuffer.readPlane(plane) { source, sourceShape in
        upright.writePlane(plane) { target, shape in
          Self.turn(source, sourceShape, by: rotation, into: &target, shape, sampleBytes: plane + 1)
        }
      }
    }
    return upright
  }

  /// Moves the samples of a plane to their positions in the rotated plane.
  private static func turn(
    _ source: Span<UInt8>, _ sourceShape: PlaneShape, by rotation: PictureRotation,
    into target: inout MutableSpan<UInt8>, _ shape: PlaneShape, sampleBytes: Int
  ) {
    let (width, height, row) = (sourceShape.width, sourceShape.height, sourceShape.bytesPerRow)
    precondition(
      rotation.uprightSize(width: width, height: height) == (shape.width, shape.height)
        && width * sampleBytes <= row && sourceShape.byteCount <= source.count
        && shape.width * sampleBytes <= shape.bytesPerRow && shape.byteCount <= target.count,
      "the planes do not match")
    // The first source sample, and the steps to the samples of the next target column and row, in bytes.
    func offset(_ x: Int, _ y: Int) -> Int {
      let stored = rotation.storedPixel(x: x, y: y, width: width, height: height)
      return stored.y * row + stored.x * sampleBytes
    }
    let first = offset(0, 0)
    let (column, line) = (offset(1, 0) - first, offset(0, 1) - first)
    // UNSAFE: the shapes are checked above.
    unsafe source.withUnsafeBufferPointer { source in
      unsafe target.withUnsafeMutableBufferPointer { target in
        unsafe cpixels_turn(
          source.baseAddress, first, column, line, target.baseAddress, shape.bytesPerRow, shape.width,
          shape.height, sampleBytes, rotation == .half ? 1 : 0)
      }
    }
  }
}

extension PictureTurner {
  package enum Error: Swift.Error, Equatable, CustomStringConvertible {
    case pixelFormat(OSType)
    case chromaSize(width: Int, height: Int)
    case pixelBuffer(PixelBufferError)

    package var description: String {
      switch self {
      case .pixelFormat(let format):
        "pixels of format \(format.fourCharacters) cannot be rotated; convert them to 420f or 420v"
      case .chromaSize(let width, let height):
        "a chroma plane of \(width)x\(height) does not cover its frame; use one pair for every 2x2 pixels"
      case .pixelBuffer(let error):
        "cannot create the upright frame: \(error)"
      }
    }
  }
}
