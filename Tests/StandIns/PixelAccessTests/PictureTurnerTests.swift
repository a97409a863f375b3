import CoreVideo
import PixelAccess
import TestSupport

@Suite struct PictureTurnerTests {
  /// Sizes around one and two blocks in both directions, strips, and the odd width of a screen.
  static let sizes = [
    (1, 1), (2, 2), (3, 1), (1, 40), (7, 9), (8, 8), (9, 8), (8, 17), (15, 16), (16, 16), (17, 15), (33, 35),
    (64, 40), (40, 65), (7, 90), (90, 7), (1179, 20),
  ]

  @Test(arguments: PictureRotation.allCases, sizes)
  func movesEverySampleToItsPlace(rotation: PictureRotation, size: (Int, Int)) throws {
    var turner = PictureTurner()
    for (format, alignment) in [(fullRange, 1), (videoRange, 16), (fullRange, 64), (fullRange, 256)] {
      let picture = try makeRandomPicture(size.0, size.1, format, alignment: alignment)
      let upright = try turner.turn(picture, by: rotation)
      #expect(CVPixelBufferGetPixelFormatType(upright) == format)
      for plane in 0..<2 {
        let (shape, turned) = (picture.planeShape(plane), upright.planeShape(plane))
        let isTurned = rotation == .quarter || rotation == .threeQuarters
        #expect(turned.width == (isTurned ? shape.height : shape.width))
        #expect(turned.height == (isTurned ? shape.width : shape.height))
        #expect(samples(upright, plane: plane) == turnedSlowly(picture, plane, rotation))
      }
    }
  }

  @Test(arguments: sizes) func fourQuarterTurnsRestoreTheFrame(width: Int, height: Int) throws {
    var turner = PictureTurner()
    let picture = try makeRandomPicture(width, height, fullRange, alignment: 16)
    for rotation in [PictureRotation.quarter, .threeQuarters] {
      var turned = picture
      for _ in 0..<4 { turned = try turner.turn(turned, by: rotation) }
      #expect(turned !== picture)
      for plane in 0..<2 { #expect(samples(turned, plane: plane) == samples(picture, plane: plane)) }
    }
    let half = try turner.turn(turner.turn(picture, by: .quarter), by: .quarter)
    for plane in 0..<2 {
      #expect(samples(half, plane: plane) == samples(try turner.turn(picture, by: .half), plane: plane))
    }
  }

  @Test func theUprightFrameHasTheColoursOfTheStoredOne() throws {
    var (turner, pool) = (PictureTurner(), AdaptivePixelBufferPool())
    let picture = try makeRandomPicture(34, 18, fullRange, alignment: 64)
    #expect(try turner.turn(picture, by: .quarter).statedMatrix == nil)
    picture.state(.bt601)
    #expect(try turner.turn(picture, by: .quarter).statedMatrix == .bt601)
    #expect(try pool.makeCopy(of: picture).statedMatrix == .bt601)
  }

  @Test func noTurnReturnsTheSameBuffer() throws {
    var turner = PictureTurner()
    let picture = try makeRandomPicture(34, 18, fullRange, alignment: 64)
    #expect(try turner.turn(picture, by: .none) === picture)
  }

  @Test func doesNotReuseARetainedBuffer() throws {
    var turner = PictureTurner()
    let (first, second) = (
      try makeRandomPicture(34, 18, fullRange, alignment: 64), try makePatternedPicture(34, 18)
    )
    let held = try turner.turn(first, by: .quarter)
    for size in [(34, 18), (18, 34), (20, 20), (34, 18)] {
      _ = try turner.turn(makePatternedPicture(size.0, size.1), by: .half)
      _ = try turner.turn(second, by: .quarter)
    }
    for plane in 0..<2 { #expect(samples(held, plane: plane) == turnedSlowly(first, plane, .quarter)) }
  }

  @Test func refusesOtherPixelFormatsAndChromaThatDoesNotCover() throws {
    var turner = PictureTurner()
    let format = kCVPixelFormatType_32BGRA
    for rotation in PictureRotation.allCases {
      #expect(throws: PictureTurner.Error.pixelFormat(format)) {
        try turner.turn(makePatternedPicture(4, 4, format), by: rotation)
      }
    }
    #expect(PictureTurner.Error.pixelFormat(format).description.contains("BGRA cannot be rotated"))

    var bytes = [UInt8](repeating: 0, count: 9 * 9 * 2)
    // UNSAFE: the planes lie in the array, which outlives the buffer.
    try unsafe bytes.withUnsafeMutableBytes { bytes in
      let base = unsafe try #require(bytes.baseAddress)
      var bases: [UnsafeMutableRawPointer?] = unsafe [base, base + 81]
      var (widths, heights, strides) = ([9, 4], [9, 5], [9, 8])
      var made: CVPixelBuffer?
      _ = unsafe CVPixelBufferCreateWithPlanarBytes(
        nil, 9, 9, fullRange, base, bytes.count, 2, &bases, &widths, &heights, &strides, nil, nil, nil, &made)
      let picture = try #require(made)
      #expect(throws: PictureTurner.Error.chromaSize(width: 4, height: 5)) {
        try turner.turn(picture, by: .quarter)
      }
    }
  }

  /// Returns the visible bytes of a plane after a clockwise rotation, computed sample by sample.
  private func turnedSlowly(_ buffer: CVPixelBuffer, _ plane: Int, _ rotation: PictureRotation) -> [UInt8] {
    let (shape, bytes, size) = (buffer.planeShape(plane), samples(buffer, plane: plane), plane + 1)
    let (width, height) = (shape.width, shape.height)
    var turned = [UInt8](repeating: 0, count: bytes.count)
    for y in 0..<height {
      for x in 0..<width {
        let target =
          switch rotation {
          case .none: y * width + x
          case .quarter: x * height + height - 1 - y
          case .half: (height - 1 - y) * width + width - 1 - x
          case .threeQuarters: (width - 1 - x) * height + y
          }
        for byte in 0..<size { turned[target * size + byte] = bytes[(y * width + x) * size + byte] }
      }
    }
    return turned
  }
}
