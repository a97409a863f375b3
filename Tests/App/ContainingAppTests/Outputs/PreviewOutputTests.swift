import PictureFormats
import TestSupport
import Testing

@testable import ContainingApp

@MainActor @Suite struct PreviewOutputTests {
  @Test func withoutATerminalOnlyTheLastPictureIsDrawn() throws {
    let stream = CollectedStream()
    let output = PreviewOutput(on: stream.stream)
    output.renderFrame(makeFrame(try makeFilledPicture(4, 4, luma: 10), at: 1))
    let last = try makeFilledPicture(4, 4, luma: 90)
    output.renderFrame(makeFrame(last, at: .max))
    output.finish()
    #expect(try stream.text() == TerminalPicture.draw(last, columns: 80, rows: 22) + "\n")
  }

  @Test func withoutAFrameNothingIsDrawn() throws {
    let stream = CollectedStream()
    PreviewOutput(on: stream.stream).finish()
    #expect(try stream.text().isEmpty)
  }
}
