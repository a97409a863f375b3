import CoreVideo

/// Turns pixel buffers upright, for outputs that cannot carry a rotation.
///
/// ```swift
/// var turner = PictureTurner()
/// let upright = try turner.turn(pixelBuffer, by: .quarter)
/// ```
///
/// The upright buffer has the attachments of the stored one. Its memory is reused after its release.
package struct PictureTurner: Sendable {
  /// A broadcast has two shapes, portrait and landscape.
  private var pool = AdaptivePixelBufferPool(shapes: 2)

  package init() {}

  /// Returns a 420f or 420v buffer turned clockwise by `rotation`, or the same buffer without a turn. A quarter turn swaps
  /// width and height.
  ///
  /// Samples are moved and never mixed, so four quarter turns restore the original. With an odd width or height, a last
  /// column or row that moves to the left or the top shifts chroma by one pixel.
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
    func offset(_ x: Int, _ y: Int) -> Int {
      let stored = rotation.storedPixel(x: x, y: y, width: width, height: height)
      return stored.y * row + stored.x * sampleBytes
    }
    let first = offset(0, 0)
    let (column, line) = (offset(1, 0) - first, offset(0, 1) - first)
    // The samples of a word of eight bytes.
    let side = 8 / sampleBytes
    // UNSAFE: here and below, the shapes are checked above; checked accesses take several times as long.
    guard shape.width >= 8, shape.height >= side else {
      for y in 0..<shape.height {
        let (from, to) = (first &+ y &* line, y &* shape.bytesPerRow)
        for x in 0..<shape.width {
          for byte in 0..<sampleBytes {
            unsafe target[unchecked: to &+ x &* sampleBytes &+ byte] =
              source[unchecked: from &+ x &* column &+ byte]
          }
        }
      }
      return
    }
    // The last words and blocks end with the plane and overlap those before.
    unsafe source.withUnsafeBytes { source in
      unsafe target.withUnsafeMutableBytes { target in
        if rotation == .half {
          for y in 0..<shape.height {
            for x in stride(from: 0, to: shape.width, by: side) {
              let x = min(x, shape.width &- side)
              let word = unsafe source.loadUnaligned(
                fromByteOffset: first &+ y &* line &+ (x &+ side &- 1) &* column, as: UInt64.self)
              unsafe target.storeBytes(
                of: reversed(word, sampleBytes: sampleBytes),
                toByteOffset: y &* shape.bytesPerRow &+ x &* sampleBytes, as: UInt64.self)
            }
          }
          return
        }
        // A block of a quarter turn: words become rows.
        for y in stride(from: 0, to: shape.height, by: side) {
          let y = min(y, shape.height &- side)
          for x in stride(from: 0, to: shape.width, by: 8) {
            let x = min(x, shape.width &- 8)
            // The words lie in the order of the source: with a negative step their last sample is the first.
            let start = first &+ x &* column &+ (line > 0 ? y : y &+ side &- 1) &* line
            var words = SIMD8<UInt64>()
            for index in 0..<8 {
              unsafe words[index] = source.loadUnaligned(
                fromByteOffset: start &+ index &* column, as: UInt64.self)
            }
            words = transposed(words, sampleBytes: sampleBytes)
            for index in 0..<8 {
              let (group, row) = (index / side, index % side)
              let offset =
                (y &+ (line > 0 ? row : side &- 1 &- row)) &* shape.bytesPerRow
                &+ (x &+ group &* side) &* sampleBytes
              unsafe target.storeBytes(of: words[index], toByteOffset: offset, as: UInt64.self)
            }
          }
        }
      }
    }
  }

  /// Reverses the order of eight samples of a byte, or of four of two bytes.
  @inline(__always)
  private static func reversed(_ word: UInt64, sampleBytes: Int) -> UInt64 {
    let swapped = word.byteSwapped
    return sampleBytes == 1
      ? swapped : (swapped &>> 8) & 0x00FF_00FF_00FF_00FF | (swapped & 0x00FF_00FF_00FF_00FF) &<< 8
  }

  /// Exchanges rows and columns of a square of 8 × 8 bytes, or of two squares of 4 × 4 pairs of bytes.
  ///
  /// Each stage exchanges halves of squares between the words of the lower and the upper half, and then shuffles the words,
  /// so that three stages restore their order.
  @inline(__always)
  private static func transposed(_ words: SIMD8<UInt64>, sampleBytes: Int) -> SIMD8<UInt64> {
    var words = words
    func exchange(_ shift: UInt64, _ mask: UInt64) {
      var (low, high) = (words.lowHalf, words.highHalf)
      let difference = (low &>> shift ^ high) & mask
      high ^= difference
      low ^= difference &<< shift
      (words.evenHalf, words.oddHalf) = (low, high)
    }
    // The first stage of pairs only shuffles.
    if sampleBytes == 2 { exchange(0, 0) }
    exchange(32, 0x0000_0000_FFFF_FFFF)
    exchange(16, 0x0000_FFFF_0000_FFFF)
    if sampleBytes == 1 { exchange(8, 0x00FF_00FF_00FF_00FF) }
    return words
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
        "pixels of format \(format.fourCharacters) cannot be turned; convert them to 420f or 420v"
      case .chromaSize(let width, let height):
        "a chroma plane of \(width)x\(height) does not cover its frame; use one pair for every 2x2 pixels"
      case .pixelBuffer(let error):
        "cannot create the upright frame: \(error)"
      }
    }
  }
}
