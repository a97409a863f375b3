import EmulatedSystem
import PixelAccess
import TestPatterns
import TestSupport
import Testing

@MainActor @Suite struct PatternContentTests {
  @Test func everyFrameIsDrawnWithItsNumber() throws {
    let content = try PatternContent(
      .proof, width: 128, height: 96, pixelFormat: fullRange, framesPerSecond: 60)
    #expect((content.width, content.height) == (128, 96))
    let buffer = try makeBuffer(128, 96)
    for number: UInt64 in [1, 2, 1000] {
      #expect(try content.draw(frame: number, into: buffer) == .drawn)
      #expect(ProofVerifier.verify(buffer) == .whole(frame: UInt32(number)))
    }
  }

  @Test func aSizeThatCannotBeDrawnIsRefused() {
    #expect(throws: ScreenContentError.self) {
      try PatternContent(.bars, width: 4, height: 4, pixelFormat: fullRange, framesPerSecond: 60)
    }
  }

  @Test(arguments: [0, 0.4, 1001, 1_000_000, .infinity])
  func aRateBeyondTheTimeCodeIsLimited(_ rate: Double) throws {
    let content = try PatternContent(
      .bars, width: 64, height: 64, pixelFormat: fullRange, framesPerSecond: rate)
    #expect(try content.draw(frame: 1, into: makeBuffer(64, 64)) == .drawn)
  }

  @Test func aBufferOfAnotherSizeIsRefused() throws {
    let content = try PatternContent(
      .bars, width: 64, height: 64, pixelFormat: fullRange, framesPerSecond: 59.94)
    let buffer = try makeBuffer(32, 32)
    #expect(throws: ScreenContentError.self) { try content.draw(frame: 1, into: buffer) }
  }
}
