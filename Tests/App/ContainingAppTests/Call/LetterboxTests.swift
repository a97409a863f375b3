import CoreVideo
import PixelAccess
import TestSupport

@testable import ContainingApp

@Suite struct LetterboxTests {
  /// Expects that a frame shows a plain picture in a rectangle, and black around it.
  private func expectPicture(
    _ frame: CVPixelBuffer, x: Range<Int>, y: Range<Int>, black: UInt8 = 0,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (plane, (inside, outside)) in [(UInt8(200), black), (60, 128)].enumerated() {
      let samples = rows(frame, plane: plane)
      let scale = plane == 0 ? 1 : 2
      for (row, line) in samples.enumerated() {
        for (column, sample) in line.enumerated() {
          // Both chroma samples of a pair lie over the same two pixels, so a column counts as a pixel.
          let isInside = x.contains(column) && y.contains(row * scale)
          guard sample != (isInside ? inside : outside) else { continue }
          Issue.record(
            "plane \(plane), row \(row), column \(column): \(sample)", sourceLocation: sourceLocation)
          return
        }
      }
    }
  }

  @Test(arguments: [(fullRange, UInt8(0)), (videoRange, UInt8(16))])
  func theBarsAreBlackInTheRangeOfThePicture(_ format: OSType, _ black: UInt8) throws {
    var letterbox = Letterbox()
    let frame = try letterbox.contain(makeFilledPicture(32, 128, format: format), width: 64, height: 48)
    #expect(CVPixelBufferGetPixelFormatType(frame) == format)
    expectPicture(frame, x: 16..<32, y: 0..<64, black: black)
  }

  /// A tall picture turns the frame and has bars on both sides, a wide picture has bars above and below, and a small one is not
  /// scaled up.
  @Test(
    arguments: [
      (32, 128, 64, 48, 48, 16..<32, 0..<64), (128, 32, 48, 64, 64, 0..<64, 16..<32),
      (20, 8, 64, 48, 64, 22..<42, 20..<28),
    ] as [(Int, Int, Int, Int, Int, Range<Int>, Range<Int>)])
  func aPictureIsContained(
    width: Int, height: Int, toWidth: Int, toHeight: Int, frameWidth: Int, x: Range<Int>, y: Range<Int>
  ) throws {
    var letterbox = Letterbox()
    let frame = try letterbox.contain(makeFilledPicture(width, height), width: toWidth, height: toHeight)
    #expect(CVPixelBufferGetWidth(frame) == frameWidth)
    expectPicture(frame, x: x, y: y)
    let placed = try letterbox.place(makeFilledPicture(32, 128), into: (64, 48))
    #expect((CVPixelBufferGetWidth(placed), CVPixelBufferGetHeight(placed)) == (64, 48))
    expectPicture(placed, x: 26..<38, y: 0..<48)
  }

  @Test func aPictureOfTheSizeIsNotTouched() throws {
    var letterbox = Letterbox()
    let picture = try makeFilledPicture(64, 48)
    #expect(try letterbox.contain(picture, width: 64, height: 48) === picture)
    #expect(try letterbox.contain(picture, width: 48, height: 64) === picture)
  }

  @Test func everyPictureGetsAFrameOfItsOwn() throws {
    var letterbox = Letterbox()
    let first = try letterbox.contain(makeFilledPicture(32, 128), width: 64, height: 48)
    let second = try letterbox.contain(makeFilledPicture(32, 128, luma: 90), width: 64, height: 48)
    #expect(first !== second)
    expectPicture(first, x: 16..<32, y: 0..<64)
  }

  @Test(arguments: [
    (1, 1, 16, 16), (17, 33, 16, 16), (1, 8192, 16, 16), (8192, 1, 16, 16), (15, 15, 17, 19), (64, 48, 1, 1),
    (3, 500, 31, 33),
  ]) func oddAndExtremeShapesFit(_ width: Int, _ height: Int, _ toWidth: Int, _ toHeight: Int) throws {
    var letterbox = Letterbox()
    for frame in [
      try letterbox.contain(makeFilledPicture(width, height), width: toWidth, height: toHeight),
      try letterbox.place(makeFilledPicture(width, height), into: (toWidth, toHeight)),
    ] {
      #expect(
        Set([CVPixelBufferGetWidth(frame), CVPixelBufferGetHeight(frame)]) == Set([toWidth, toHeight]))
    }
  }
}
