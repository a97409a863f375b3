import CommandLineSupport
import PixelAccess
import TestPatterns
import TestSupport
import Testing

@testable import EmulatedSystem

@MainActor @Suite struct ScreenContentTests {
  private func pattern(
    _ pattern: TestPattern, _ width: Int, _ height: Int, rate: Double = 60
  ) throws -> ScreenContent {
    try .pattern(
      pattern, size: PixelSize(width: width, height: height), pixelFormat: fullRange, framesPerSecond: rate)
  }

  @Test func everyFrameIsDrawnWithItsNumber() throws {
    let content = try pattern(.proof, 128, 96)
    let buffer = try makeBuffer(128, 96)
    for number: UInt64 in [1, 2, 1000] {
      #expect(try content.draw(number, buffer) == .drawn)
      #expect(ProofVerifier.verify(buffer) == .whole(frame: UInt32(number)))
    }
  }

  @Test func aSizeThatCannotBeDrawnIsRefused() {
    #expect(throws: ScreenContentError.self) {
      try pattern(.bars, 4, 4)
    }
  }

  @Test(arguments: [0, 0.4, 1001, 1_000_000, .infinity])
  func aRateBeyondTheTimeCodeIsLimited(_ rate: Double) throws {
    #expect(try pattern(.bars, 64, 64, rate: rate).draw(1, makeBuffer(64, 64)) == .drawn)
  }

  @Test func aBufferOfAnotherSizeIsRefused() throws {
    let (content, buffer) = (try pattern(.bars, 64, 64, rate: 59.94), try makeBuffer(32, 32))
    #expect(throws: ScreenContentError.self) { try content.draw(1, buffer) }
  }
}
