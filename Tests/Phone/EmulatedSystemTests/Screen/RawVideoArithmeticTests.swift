import TestSupport
import Testing

@testable import EmulatedSystem

@Suite struct RawVideoArithmeticTests {
  @Test func theBytesOfAPhoneScreenFollowFromItsPixels() {
    let video = RawVideoArithmetic(
      width: 1170, height: 2532, framesPerSecond: 60, pixelFormat: fullRange, bytesPerRow: 1216)
    #expect(video.bytesPerFrame == 4_443_660)
    #expect(video.bytesPerFrameInMemory == 4_618_368)
    #expect(video.bitRate == 2_132_956_800)
    #expect(
      video.lines == [
        "1170x2532 at 60 fps, YpCbCr 4:2:0, two planes, full range 0–255 (420f), 8 bits a sample",
        "1170 × 2532 × 12 bits = 4 443 660 bytes a frame (4 618 368 in memory, rows of 1216 bytes)",
        "× 60 fps = 2.13 Gbit/s uncompressed",
      ])
  }

  @Test(arguments: [
    (1080, 720, 60.0, 1_166_400, 559_872_000.0), (1179, 2556, 30, 4_521_564, 1_085_175_360),
    (17, 17, 1, 451, 3608),
  ])
  func aFrameHasOneAndAHalfBytesPerPixelWithOddSidesRoundedUp(
    _ width: Int, _ height: Int, _ rate: Double, _ bytes: Int, _ bitRate: Double
  ) {
    let video = RawVideoArithmetic(
      width: width, height: height, framesPerSecond: rate, pixelFormat: videoRange, bytesPerRow: width)
    #expect(video.bytesPerFrame == bytes)
    #expect(video.bitRate == bitRate)
    #expect(video.colourSpace.contains("video range 16–235 (420v)"))
  }

  @Test(arguments: [(59.94, "59.94 fps"), (1e300, "1e+300 fps"), (.infinity, "inf fps")])
  func aFractionalRateIsShownAsItIs(_ rate: Double, _ text: String) {
    let video = RawVideoArithmetic(
      width: 16, height: 16, framesPerSecond: rate, pixelFormat: fullRange, bytesPerRow: 64)
    #expect(video.lines[0].contains(text))
  }
}
