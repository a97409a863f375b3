import PixelAccess
import TestSupport
import WebRTC

@Suite struct NV12ScalerTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var size: (Int, Int)
    var part: (x: Int, y: Int, width: Int, height: Int)
    var output: (Int, Int)
    var testDescription: String { "\(part) of \(size) to \(output)" }
  }

  static let cases = [
    // A phone's frame at 1/16 of its size, scaled by about 1.62 in both directions.
    Case(size: (73, 158), part: (0, 24, 73, 110), output: (45, 68)),
    Case(size: (64, 64), part: (0, 0, 64, 64), output: (33, 63)),
    Case(size: (64, 64), part: (0, 0, 64, 64), output: (32, 32)),
    Case(size: (70, 50), part: (2, 4, 60, 44), output: (17, 9)),
    Case(size: (70, 50), part: (2, 4, 60, 44), output: (17, 40)),
    Case(size: (71, 51), part: (0, 0, 71, 51), output: (1, 1)),
    Case(size: (71, 51), part: (70, 50, 1, 1), output: (3, 2)),
    Case(size: (65, 33), part: (2, 2, 63, 31), output: (62, 30)),
    Case(size: (200, 7), part: (0, 0, 200, 7), output: (3, 7)),
    Case(size: (20, 20), part: (4, 6, 11, 9), output: (11, 9)),
    Case(size: (5, 5), part: (0, 0, 5, 5), output: (13, 12)),
    Case(size: (1, 1), part: (0, 0, 1, 1), output: (1, 1)),
  ]

  @Test(arguments: cases) func pixelsAreThoseOfTheDefinition(_ test: Case) throws {
    let source = try makeNoise(test.size.0, test.size.1, seed: 7)
    let output = try makePixels(test.output.0, test.output.1)
    let (x, y, width, height) = test.part
    let buffer = RTCCVPixelBuffer(
      pixelBuffer: source, adaptedWidth: Int32(test.output.0), adaptedHeight: Int32(test.output.1),
      cropWidth: Int32(width), cropHeight: Int32(height), cropX: Int32(x), cropY: Int32(y))
    #expect(buffer.writesPart(to: output))

    let luma = ReferenceScaler.scale(
      source, plane: 0, x: x, y: y, width: width, height: height, toWidth: test.output.0,
      toHeight: test.output.1)
    let chroma = ReferenceScaler.scale(
      source, plane: 1, x: x / 2, y: y / 2, width: (width + 1) / 2, height: (height + 1) / 2,
      toWidth: (test.output.0 + 1) / 2, toHeight: (test.output.1 + 1) / 2)
    for (plane, expected) in [luma, chroma].enumerated() {
      let got = samples(output, plane: plane)
      try #require(got.count == expected.count)
      let worst = zip(got, expected).map { abs(Double($0) - $1) }.max() ?? 0
      #expect(worst <= 2, "plane \(plane)")
    }
  }

  @Test(arguments: [UInt8(0), 1, 127, 254, 255]) func aPlainFrameKeepsItsValueExactly(value: UInt8) throws {
    let source = try makePixels(61, 47)
    for plane in 0..<2 { source.writePlane(plane) { bytes, _ in bytes.fill(0..<bytes.count, with: value) } }
    for (width, height) in [(40, 40), (7, 5), (30, 23)] {
      let output = try makeNoise(width, height)
      #expect(RTCCVPixelBuffer(pixelBuffer: source).writesPart(to: output))
      for plane in 0..<2 { #expect(samples(output, plane: plane).allSatisfy { $0 == value }) }
    }
  }

  @Test func aNewSourceSizeIsScaledCorrectly() throws {
    let (_, source, recorder) = try makeCall(width: 20, height: 20, fps: -1)
    let capturer = RTCVideoCapturer(delegate: source)
    for size in [40, 60, 30, 40] {
      let noise = try makeNoise(size, size, seed: UInt64(size))
      source.capturer(capturer, didCapture: makeFrame(noise))
      let shown = try #require(recorder.pixels.last)
      let expected = ReferenceScaler.scale(
        noise, plane: 0, x: 0, y: 0, width: size, height: size, toWidth: 20, toHeight: 20)
      let worst = zip(samples(shown, plane: 0), expected).map { abs(Double($0) - $1) }.max() ?? 255
      #expect(worst <= 2, "\(size)")
    }
  }

  @Test func chromaRoundedDownIsNotReadBeyondItsEnd() throws {
    // 5 × 5 with 2 × 2 chroma, where the buffers of this package have 3 × 3; the next bytes are 255.
    var memory = [UInt8](repeating: 10, count: 25 + 8) + [UInt8](repeating: 255, count: 16)
    let output = try makePixels(4, 4)
    try unsafe memory.withUnsafeMutableBytes { bytes in
      let start = try unsafe #require(bytes.baseAddress)
      var (widths, heights, strides) = ([5, 2], [5, 2], [5, 4])
      // UNSAFE: both planes are within the array, which outlives the buffer.
      var bases = unsafe [UnsafeMutableRawPointer?.some(start), start + 25]
      var lent: CVPixelBuffer?
      _ = unsafe CVPixelBufferCreateWithPlanarBytes(
        nil, 5, 5, fullRange, nil, 0, 2, &bases, &widths, &heights, &strides, nil, nil, nil, &lent)
      #expect(RTCCVPixelBuffer(pixelBuffer: try #require(lent)).writesPart(to: output))
    }
    for plane in 0..<2 { #expect(samples(output, plane: plane).allSatisfy { $0 == 10 }) }
  }

  @Test func unsupportedFormatsAndPartsAreRefused() throws {
    let source = try makePixels(16, 16)
    let whole = RTCCVPixelBuffer(pixelBuffer: source)
    #expect(!whole.writesPart(to: try makePixels(8, 8, format: videoRange)))
    let bgra = try makePixels(16, 16, format: kCVPixelFormatType_32BGRA)
    #expect(!whole.writesPart(to: bgra))
    #expect(!RTCCVPixelBuffer(pixelBuffer: bgra).writesPart(to: bgra))
    for (x, y, width, height) in [(2, 0, 16, 16), (0, 2, 16, 16), (-2, 0, 8, 8), (0, 0, 0, 8)]
      as [(Int32, Int32, Int32, Int32)]
    {
      let outside = RTCCVPixelBuffer(
        pixelBuffer: source, adaptedWidth: 8, adaptedHeight: 8, cropWidth: width, cropHeight: height,
        cropX: x, cropY: y)
      #expect(!outside.writesPart(to: try makePixels(8, 8)))
    }
  }
}
