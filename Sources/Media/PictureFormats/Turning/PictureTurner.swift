import CoreVideo
import PixelAccess

/// Turns pixel buffers upright, for outputs that cannot carry a rotation.
///
/// ```swift
/// var turner = PictureTurner()
/// let upright = try turner.turn(pixelBuffer, by: .quarter)
/// ```
///
/// The memory of an upright buffer is reused after its release.
public struct PictureTurner: Sendable {
  /// A broadcast has two shapes, portrait and landscape.
  private var pool = AdaptivePixelBufferPool(shapes: 2)

  /// Creates a turner, which allocates memory when it turns a buffer.
  public init() {}

  /// Returns a 420f or 420v buffer turned clockwise by `rotation`, or the same buffer without a turn. A quarter turn swaps
  /// width and height.
  ///
  /// Samples are moved and never mixed, so four quarter turns restore the original. With an odd width or height, a last
  /// column or row that moves to the left or the top shifts chroma by one pixel.
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
    for plane in 0..<2 {
      pixelBuffer.readPlane(plane) { source, sourceShape in
        upright.writePlane(plane) { target, shape in
          // Two calls, so that the compiler knows the bytes of a sample.
          if plane == 0 {
            Self.turn(source, sourceShape, by: rotation, into: &target, shape, sampleBytes: 1)
          } else {
            Self.turn(source, sourceShape, by: rotation, into: &target, shape, sampleBytes: 2)
          }
        }
      }
    }
    return upright
  }

  /// Moves the samples of a plane to their places in the turned plane.
  @inline(__always)
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
    // The first source sample, and the steps to those of the next target column and row, in bytes.
    let (first, column, line) =
      switch rotation {
      case .none: (0, sampleBytes, row)
      case .quarter: ((height - 1) * row, -row, sampleBytes)
      case .half: ((height - 1) * row + (width - 1) * sampleBytes, -sampleBytes, -row)
      case .threeQuarters: ((width - 1) * sampleBytes, row, -sampleBytes)
      }
    // Blocks keep the source rows of a quarter turn in the cache.
    let side = 32
    for top in stride(from: 0, to: shape.height, by: side) {
      for left in stride(from: 0, to: shape.width, by: side) {
        for y in top..<min(top + side, shape.height) {
          for x in left..<min(left + side, shape.width) {
            let from = first &+ x &* column &+ y &* line
            let to = y &* shape.bytesPerRow &+ x &* sampleBytes
            // UNSAFE: the shapes are checked above; checked accesses take twice as long.
            for byte in 0..<sampleBytes {
              unsafe target[unchecked: to &+ byte] = source[unchecked: from &+ byte]
            }
          }
        }
      }
    }
  }
}

extension PictureTurner {
  /// An error of a turn.
  public enum Error: Swift.Error, Equatable, CustomStringConvertible {
    /// The pixel format is neither 420f nor 420v.
    case pixelFormat(OSType)
    /// The chroma plane, of this many pairs, does not cover the luma plane.
    case chromaSize(width: Int, height: Int)
    /// There is no buffer for the upright frame.
    case pixelBuffer(PixelBufferError)

    /// One sentence with the cause and the remedy.
    public var description: String {
      switch self {
      case .pixelFormat(let format):
        "pixels of format \(format.fourCharacters) cannot be turned; convert them to 420f or 420v"
      case .chromaSize(let width, let height):
        "a chroma plane of \(width)x\(height) does not cover its frame; use one pair for every 2x2 pixels"
      case .pixelBuffer(let error):
        "cannot create the upright frame: \(error)"
      }
    }
  }
}
