import PixelAccess
import TestPatterns
import TestSupport

@testable import EmulatedSystem

@MainActor @Suite struct ScreenContentTests {
  private func pattern(
    _ pattern: TestPattern, _ width: Int, _ height: Int, rate: Double = 60
  ) throws -> ScreenContent {
    try .pattern(
      pattern, size: PixelSize(width: width, height: height), pixelFormat: fullRange, framesPerSecond: rate)
  }

  private func frame(
    _ number: UInt64, at milliseconds: UInt64 = 0, _ rotation: PictureRotation = .none, isDue: Bool = false
  ) -> ScreenFrame {
    ScreenFrame(
      number: number, time: MonotonicTime(nanoseconds: milliseconds * 1_000_000), rotation: rotation,
      isDue: isDue)
  }

  @Test func aDrawnAppGivesNoFrameAtRest() throws {
    let (content, buffer) = (try pattern(.app, 64, 128), try makeBuffer(64, 128))
    let frames = [
      frame(1, at: 5000), frame(2, at: 5016), frame(3, at: 7000), frame(4, at: 7016), frame(3, at: 7033),
      frame(4, at: 7050), frame(4, at: 7066, .half), frame(5, at: 7083, .half),
      frame(5, at: 7100, .half, isDue: true), frame(6, at: 13_100, .half),
    ]
    #expect(
      try frames.map { try content.draw($0, buffer) } == [
        .drawn, .drawn, .drawn, .unchanged, .drawn, .unchanged, .drawn, .unchanged, .drawn, .drawn,
      ])
    for number: UInt64 in 1...2 { #expect(try pattern(.bars, 64, 128).draw(frame(number), buffer) == .drawn) }
  }

  @Test func aDrawnAppGoesOnInAnotherSize() throws {
    let content = try pattern(.app, 64, 128)
    #expect(try content.draw(frame(1, at: 5000), makeBuffer(64, 128)) == .drawn)
    let other = try #require(try content.resized(PixelSize(width: 128, height: 64), fullRange))
    let buffer = try makeBuffer(128, 64)
    #expect(try other.draw(frame(2, at: 7000), buffer) == .drawn)
    #expect(try other.draw(frame(3, at: 7016), buffer) == .unchanged)
  }

  @Test func everyFrameIsDrawnWithItsNumber() throws {
    let content = try pattern(.proof, 128, 96)
    let buffer = try makeBuffer(128, 96)
    for number: UInt64 in [1, 2, 1000] {
      #expect(try content.draw(frame(number), buffer) == .drawn)
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
    #expect(try pattern(.bars, 64, 64, rate: rate).draw(frame(1), makeBuffer(64, 64)) == .drawn)
  }

  @Test func aBufferOfAnotherSizeIsRefused() throws {
    let (content, buffer) = (try pattern(.bars, 64, 64, rate: 59.94), try makeBuffer(32, 32))
    #expect(throws: ScreenContentError.self) { try content.draw(frame(1), buffer) }
  }
}
