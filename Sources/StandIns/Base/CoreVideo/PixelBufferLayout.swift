/// The layout of a pixel buffer's planes in memory, computed from its format and size.
package struct PixelBufferLayout: Sendable {
  /// The shape of a plane. The width is in samples: pixels for luma, pairs of Cb and Cr for chroma.
  package struct Plane: Sendable {
    package var width: Int
    package var height: Int
    package var bytesPerRow: Int
    /// The bytes before the plane.
    package internal(set) var offset = 0
  }

  /// A Core Video result other than success.
  struct Failure: Error {
    var code: CVReturn
  }

  let width: Int
  let height: Int
  var planes: [Plane]
  var isPlanar: Bool
  /// The size of the memory, in bytes: ``bytesPerRow`` for each line, or the sum of a caller's planes.
  var byteCount: Int

  /// The bytes before the first of two planes, for a descriptor of the planes.
  static let descriptorBytes = 64

  /// The bytes per row of all planes together. In two public logs of devices (886 × 1918 and 640 × 480), it is the sum
  /// of the planes' row bytes plus 4. A descriptor and rounding up to a multiple of 4 bytes give the same.
  var bytesPerRow: Int {
    guard isPlanar else { return planes[0].bytesPerRow }
    let bytes =
      (Self.descriptorBytes + planes.reduce(0) { $0 + $1.bytesPerRow * $1.height } + height - 1) / height
    return (bytes + 3) & ~3
  }

  /// The supported widths and heights, in pixels.
  static let dimensions = 1...16_384

  static func isSupported(_ format: OSType) -> Bool {
    [
      kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange,
      kCVPixelFormatType_32BGRA,
    ].contains(format)
  }

  init(width: Int, height: Int, format: OSType, alignment: Int = 64) throws(Failure) {
    guard Self.dimensions.contains(width), Self.dimensions.contains(height) else {
      throw Failure(code: kCVReturnInvalidSize)
    }
    guard (1...4096).contains(alignment), alignment & (alignment - 1) == 0 else {
      throw Failure(code: kCVReturnInvalidPixelBufferAttributes)
    }
    func aligned(_ bytes: Int) -> Int { (bytes + alignment - 1) & ~(alignment - 1) }

    self.width = width
    self.height = height
    switch format {
    case kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange, kCVPixelFormatType_420YpCbCr8BiPlanarFullRange:
      let (pairs, luma) = ((width + 1) / 2, Plane(width: width, height: height, bytesPerRow: aligned(width)))
      planes = [
        luma,
        Plane(
          width: pairs, height: (height + 1) / 2, bytesPerRow: aligned(pairs * 2)),
      ]
      isPlanar = true
    case kCVPixelFormatType_32BGRA:
      planes = [Plane(width: width, height: height, bytesPerRow: aligned(width * 4))]
      isPlanar = false
    default:
      throw Failure(code: kCVReturnInvalidPixelFormat)
    }
    byteCount = 0
    place()
  }

  /// Sets the row lengths of luma and chroma. The planes remain adjacent.
  mutating func setRows(_ rows: RowLengths) throws(Failure) {
    guard planes.count == 2 else { return }
    switch rows {
    case .aligned(let chromaPadding): planes[1].bytesPerRow += chromaPadding
    case .exact(let luma, let chroma): (planes[0].bytesPerRow, planes[1].bytesPerRow) = (luma, chroma)
    }
    self = try PixelBufferLayout(width: width, height: height, planes: planes)
    place()
  }

  /// Places the planes next to each other in one block of memory, after a descriptor if there are two.
  private mutating func place() {
    var offset = isPlanar ? Self.descriptorBytes : 0
    for index in planes.indices {
      planes[index].offset = offset
      offset += planes[index].bytesPerRow * planes[index].height
    }
    byteCount = bytesPerRow * height
  }

  /// Creates the layout of a caller's luma and chroma planes. The numbers may come from a file, so invalid numbers are
  /// an error, not a trap.
  init(width: Int, height: Int, planes: [Plane]) throws(Failure) {
    guard Self.dimensions.contains(width), Self.dimensions.contains(height) else {
      throw Failure(code: kCVReturnInvalidSize)
    }
    byteCount = 0
    for (plane, bytesPerPixel) in zip(planes, [1, 2]) {
      let (bytes, isTooLarge) = plane.bytesPerRow.multipliedReportingOverflow(by: plane.height)
      guard plane.width > 0, plane.height > 0, plane.width <= plane.bytesPerRow / bytesPerPixel, !isTooLarge,
        bytes <= Int.max - byteCount
      else { throw Failure(code: kCVReturnInvalidArgument) }
      byteCount += bytes
    }
    (self.width, self.height, self.planes, isPlanar) = (width, height, planes, true)
  }
}

/// The row lengths of the luma and chroma planes, in bytes.
package enum RowLengths: Equatable, Sendable {
  /// Aligned to 64 bytes, with additional bytes in chroma rows.
  case aligned(chromaPadding: Int)
  case exact(luma: Int, chroma: Int)
}

/// A rectangle within a frame, in pixels.
package struct PixelRect: Sendable, Equatable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  package var columns: Range<Int> { x..<x + width }
  package var rows: Range<Int> { y..<y + height }
}
