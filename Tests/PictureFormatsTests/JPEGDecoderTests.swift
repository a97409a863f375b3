import CoreVideo
import PixelAccess
import TestSupport
import Testing

@testable import PictureFormats

@Suite struct JPEGDecoderTests {
  @Test func thePictureIsThatOfAnotherDecoder() throws {
    let picture = try JPEGDecoder.decode(SampleJPEG.file)
    #expect(CVPixelBufferGetPixelFormatType(picture) == fullRange)
    #expect(CVPixelBufferGetWidth(picture) == SampleJPEG.width)
    #expect(CVPixelBufferGetHeight(picture) == SampleJPEG.height)
    let pairs = SampleJPEG.width / 2 * SampleJPEG.height / 2
    let luma = SampleJPEG.width * SampleJPEG.height
    let reference = SampleJPEG.samples
    let chroma = (0..<pairs).flatMap { [reference[luma + $0], reference[luma + pairs + $0]] }
    // Decoders may round differently, by one.
    for (found, expected) in [
      (samples(picture, plane: 0), Array(reference[..<luma])), (samples(picture, plane: 1), chroma),
    ] {
      #expect(found.count == expected.count)
      #expect(zip(found, expected).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }
  }

  @Test func whatIsNotBaselineIsSaid() {
    var file = SampleJPEG.file
    guard let frame = file.indices.dropLast().first(where: { file[$0] == 0xFF && file[$0 + 1] == 0xC0 })
    else {
      Issue.record("the sample has no frame header")
      return
    }
    file[frame + 1] = 0xC2
    #expect(throws: JPEGDecoder.Error.unsupported("progressive")) { try JPEGDecoder.decode(file) }
    file[frame + 1] = 0xC0
    file[frame + 4] = 12
    #expect(throws: JPEGDecoder.Error.unsupported("of 12 bits")) { try JPEGDecoder.decode(file) }
  }

  @Test func aFileCutAnywhereIsRefused() {
    for count in 0..<(SampleJPEG.file.count - 2) {
      #expect(throws: JPEGDecoder.Error.self) {
        try JPEGDecoder.decode(Array(SampleJPEG.file.prefix(count)))
      }
    }
  }

  @Test func anyBytesGiveAPictureOrAnError() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      var file = SampleJPEG.file
      for _ in 0..<Int.random(in: 1...5, using: &random) {
        file[Int.random(in: 2..<file.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      do throws(JPEGDecoder.Error) { _ = try JPEGDecoder.decode(file) } catch {
        #expect(!error.description.isEmpty)
      }
    }
  }
}
