import CoreVideo
import PixelAccess

/// Turns pixel buffers upright, for outputs that cannot carry a rotation.
///
/// ```swift
/// var turner = PictureTurner()
/// let upright = try turner.turn(pixelBuffer, by: .quarter)
/// ```
///
/// The memory of upright buffers is used again once nobody holds them.
public struct PictureTurner: Sendable {
  /// A broadcast has two shapes, portrait and landscape.
  private var pool = AdaptivePixelBufferPool(shapes: 2)

  /// A turner; memory is allocated when pictures are turned.
  public init() {}

  /// The picture of a '420f' or '420v' buffer, turned clockwise by `rotation`. A quarter turn swaps width and
  /// height; without a turn this is the same buffer.
  ///
  /// Samples are moved and never mixed, so four quarter turns give the picture back. The price, with an odd
  /// width or height: where the last column or row comes to the left or the top, its chroma covers two pixels
  /// instead of one there, and chroma lies one pixel off.
  public mutating func turn(
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
    for (plane, sample) in [PlaneTurn.Sample.luma, .chroma].enumerated() {
      let turn = PlaneTurn(rotation: rotation, sample: sample)
      pixelBuffer.readPlane(plane) { source, sourceShape in
        upright.writePlane(plane) { target, shape in
          turn.apply(to: source, sourceShape, into: &target, shape)
        }
      }
    }
    return upright
  }
}
