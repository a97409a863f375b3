import CoreVideo
import PixelAccess
import TestSupport
import Testing

@testable import TestPatterns

@Suite struct BurnInReaderTests {
  private func paint(
    _ frame: UInt64, _ pattern: TestPattern, _ size: (Int, Int), rate: Int = 30
  ) throws -> CVPixelBuffer {
    let painter = try PatternPainter(
      pattern, width: size.0, height: size.1, pixelFormat: fullRange, framesPerSecond: rate)
    let picture = try PixelBufferPool(width: size.0, height: size.1, pixelFormat: fullRange).makeBuffer()
    try painter.paint(frame: frame, into: picture)
    return picture
  }

  @Test(arguments: TestPattern.allCases, [(160, 120), (161, 119), (320, 568)])
  func aPaintedNumberIsRead(_ pattern: TestPattern, _ size: (Int, Int)) throws {
    let reader = BurnInReader(screen: size)
    for frame: UInt64 in [0, 1, 1999, 12_345_678] {
      #expect(reader.number(in: try paint(frame, pattern, size, rate: 24)) == frame)
    }
  }

  @Test func theNumberOfASmallerCopyIsRead() throws {
    let picture = try paint(4071, .bars, (640, 480))
    var scaler = NV12Scaler()
    for (width, height) in [(480, 360), (320, 240)] {
      let copy = try PixelBufferPool(width: width, height: height, pixelFormat: fullRange).makeBuffer()
      let isScaled = scaler.scale(picture, part: PixelRect(x: 0, y: 0, width: 640, height: 480), to: copy)
      #expect(isScaled)
      #expect(BurnInReader(screen: (640, 480)).number(in: copy) == 4071)
    }
  }

  @Test func aPictureWithoutATimeCodeOrWithAnotherHasNoNumber() throws {
    #expect(BurnInReader(screen: (160, 120)).number(in: try makeFilledPicture(160, 120)) == nil)
    #expect(BurnInReader(screen: (32, 32)).number(in: try paint(5, .static, (32, 32))) == nil)
    let picture = try paint(5, .static, (160, 120))
    let burnIn = BurnIn(width: 160, height: 120)
    let timeCode = try #require(burnIn.timeCode)
    picture.writePlane(0) { bytes, shape in
      for row in timeCode.y..<timeCode.y + timeCode.height {
        let start = row * shape.bytesPerRow + timeCode.x
        bytes.fill(start..<start + timeCode.width / 2, with: 0)
      }
    }
    #expect(BurnInReader(screen: (160, 120)).number(in: picture) == nil)
  }
}
