import CoreImage
import PixelAccess
import TestSupport

/// Tests the colours of patches that pass through Core Image. JPEG uses the matrix BT.601, whatever the frame's matrix is.
@MainActor @Suite(.sharedMachine, .needs(.libjpeg)) struct ColourTests {
  private static let side = 32

  /// Returns a picture with six patches side by side. Their red, green and blue are between 0 and 255 in either matrix.
  private func picture(_ matrix: ColourMatrix) throws -> CVPixelBuffer {
    let patches: [(UInt8, UInt8, UInt8)] = [
      (128, 128, 128), (120, 100, 180), (90, 150, 110), (160, 110, 130), (110, 160, 150), (60, 120, 140),
    ]
    let picture = try makePatternedPicture(6 * Self.side, Self.side) { plane, _, column in
      let patch = patches[column / Self.side]
      return plane == 0 ? patch.0 : column % 2 == 0 ? patch.1 : patch.2
    }
    picture.state(matrix)
    return picture
  }

  private func colours(_ buffer: CVPixelBuffer) -> [[Int]] {
    let conversion = ColourConversion(buffer.colourMatrix, range: .full)
    let (luma, chroma) = (samples(buffer, plane: 0), samples(buffer, plane: 1))
    return (0..<6).map { patch in
      let x = patch * Self.side + Self.side / 2
      let rgb = conversion.rgb(
        luma: luma[Self.side / 2 * 6 * Self.side + x], cb: chroma[Self.side / 4 * 6 * Self.side + x],
        cr: chroma[Self.side / 4 * 6 * Self.side + x + 1])
      return [Int(rgb.red), Int(rgb.green), Int(rgb.blue)]
    }
  }

  private func expectEqual(
    _ one: [[Int]], _ other: [[Int]], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    for (one, other) in zip(one, other) {
      #expect(
        zip(one, other).allSatisfy { abs($0 - $1) <= 2 }, "\(one), \(other)", sourceLocation: sourceLocation)
    }
  }

  private func jpeg(_ buffer: CVPixelBuffer) throws -> Data {
    try #require(
      CIContext().jpegRepresentation(
        of: CIImage(cvPixelBuffer: buffer), colorSpace: CGColorSpaceCreateDeviceRGB(),
        options: [kCGImageDestinationLossyCompressionQuality as CIImageRepresentationOption: 1.0]))
  }

  @Test(.needs(.ffmpeg), arguments: ColourMatrix.allCases)
  func aJPEGHasTheColoursThatFFmpegReads(matrix: ColourMatrix) async throws {
    let picture = try picture(matrix)
    try await withFolder { folder in
      try jpeg(picture).write(to: folder.appendingPathComponent("a.jpg"))
      let run = try await FinishedProgram(
        try OptionalTool.ffmpeg.required(),
        ["-v", "error", "-i", "a.jpg", "-f", "rawvideo", "-pix_fmt", "rgb24", "a.rgb"], in: folder.path)
      #expect(run.exitCode == 0, "\(run.errors)")
      let rgb = [UInt8](try Data(contentsOf: folder.appendingPathComponent("a.rgb")))
      expectEqual(
        (0..<6).map { patch in
          let at = (Self.side / 2 * 6 * Self.side + patch * Self.side + Self.side / 2) * 3
          return rgb[at..<at + 3].map { Int($0) }
        }, colours(picture))
    }
  }

  @Test(arguments: ColourMatrix.allCases) func aDecodedJPEGStatesItsMatrix(matrix: ColourMatrix) throws {
    let picture = try picture(matrix)
    let decoded = try #require(CIImage(data: try jpeg(picture))?.pixelBuffer)
    #expect(decoded.statedMatrix == .bt601)
    expectEqual(colours(decoded), colours(picture))
  }

  @Test func aRenderedImageHasTheMatrixOfItsBuffer() throws {
    for (from, stated) in [
      (ColourMatrix.bt709, ColourMatrix?.none), (.bt601, nil), (.bt709, .bt601), (.bt601, .bt709),
    ] {
      let (picture, buffer) = (try picture(from), try makeFilledPicture(6 * Self.side, Self.side))
      if let stated { buffer.state(stated) }
      CIContext().render(CIImage(cvPixelBuffer: picture), to: buffer)
      #expect(buffer.statedMatrix == stated ?? from)
      expectEqual(colours(buffer), colours(picture))
    }
  }
}
