import CoreVideo
import PictureFormats
import PixelAccess
import TestSupport

@Suite struct PNGEncoderTests {
  private let temporary = TemporaryFolder.ofSuite()
  private var folder: URL { temporary.url }

  @Test(arguments: PictureRotation.allCases, [(1, 1), (2, 3), (33, 18), (64, 40)])
  func showsEveryPixelUpright(rotation: PictureRotation, size: (Int, Int)) throws {
    let (width, height) = size
    for (format, matrix) in [(fullRange, ColourMatrix?.none), (videoRange, .bt709), (fullRange, .bt601)] {
      var random = SeededGenerator(seed: 5)
      let picture = try makePatternedPicture(width, height, format) { _, row, _ in
        row % 3 == 0 ? 200 : UInt8(truncatingIfNeeded: random.next() >> 40)
      }
      if let matrix { picture.state(matrix) }
      let png = try PNGDecoder([UInt8](PNGEncoder.encode(picture, rotation: rotation)))
      let isTurned = rotation == .quarter || rotation == .threeQuarters
      #expect(png.width == (isTurned ? height : width) && png.height == (isTurned ? width : height))
      let (luma, chroma) = (samples(picture, plane: 0), samples(picture, plane: 1))
      // The position of each stored pixel after the clockwise rotation.
      for y in 0..<height {
        for x in 0..<width {
          let (toX, toY) =
            switch rotation {
            case .none: (x, y)
            case .quarter: (height - 1 - y, x)
            case .half: (width - 1 - x, height - 1 - y)
            case .threeQuarters: (y, width - 1 - x)
            }
          let pair = (y / 2 * ((width + 1) / 2) + x / 2) * 2
          let wanted = Self.rgb(
            luma[y * width + x], chroma[pair], chroma[pair + 1], isFull: format == fullRange,
            matrix ?? .bt709)
          let at = (toY * png.width + toX) * 3
          for channel in 0..<3 { #expect(abs(Double(png.rgb[at + channel]) - wanted[channel]) <= 0.51) }
        }
      }
    }
  }

  @Test(arguments: PictureRotation.allCases) func turnsLikeThePictureTurner(rotation: PictureRotation) throws
  {
    var turner = PictureTurner()
    let even = try makeRandomPicture(34, 18, fullRange, alignment: 64)
    #expect(
      try PNGEncoder.encode(turner.turn(even, by: rotation)) == PNGEncoder.encode(even, rotation: rotation))
    // With an odd side the chroma of two pixels may come from either side, so this picture has no colour.
    let odd = try makePatternedPicture(35, 19) { plane, row, column in
      plane == 1 ? 128 : UInt8(row * 7 ^ column * 5)
    }
    #expect(
      try PNGEncoder.encode(turner.turn(odd, by: rotation)) == PNGEncoder.encode(odd, rotation: rotation))
  }

  @Test(arguments: [1, 2, 3, 4, 86, 87, 172, 173, 600]) func keepsRunsOfEveryLength(width: Int) throws {
    let picture = try makePatternedPicture(width, 4) { plane, row, column in
      plane == 1 ? 128 : row < 2 ? 77 : column == width / 2 ? 90 : 80
    }
    let png = try PNGDecoder([UInt8](PNGEncoder.encode(picture)))
    let luma = samples(picture, plane: 0)
    #expect(png.rgb == luma.flatMap { [$0, $0, $0] })
  }

  @Test func replacesAFileAtomically() throws {
    let file = folder.appendingPathComponent("picture.png")
    let picture = try makePatternedPicture(8, 8) { plane, _, _ in plane == 0 ? 9 : 128 }
    try PNGEncoder.write(picture, to: file.path)
    try PNGEncoder.write(picture, rotation: .half, to: file.path)
    #expect(try Data(contentsOf: file) == PNGEncoder.encode(picture))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["picture.png"])

    let missing = folder.appendingPathComponent("none/picture.png").path
    let error = PNGEncoder.Error.write(path: missing, errno: ENOENT)
    #expect(throws: error) { try PNGEncoder.write(picture, to: missing) }
    #expect(error.description.hasPrefix(missing))
    let taken = folder.appendingPathComponent("taken")
    try FileManager.default.createDirectory(at: taken, withIntermediateDirectories: false)
    #expect(throws: PNGEncoder.Error.write(path: taken.path, errno: EISDIR)) {
      try PNGEncoder.write(picture, to: taken.path)
    }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["picture.png", "taken"])
  }

  @Test func refusesOtherPixelFormats() throws {
    let picture = try makePatternedPicture(4, 4, kCVPixelFormatType_32BGRA)
    #expect(throws: PNGEncoder.Error.pixelFormat(kCVPixelFormatType_32BGRA)) {
      try PNGEncoder.encode(picture)
    }
  }

  @Test(.sharedMachine, .needs(.ffmpeg)) func writesWhatFFmpegReads() throws {
    let file = folder.appendingPathComponent("picture.png")
    let picture = try makePatternedPicture(120, 70) { UInt8(($0 * 50 + $1 * 7 + $2 * $1) & 255) }
    try PNGEncoder.write(picture, rotation: .quarter, to: file.path)
    let own = try PNGDecoder([UInt8](try Data(contentsOf: file)))
    #expect(try decodeByFFmpeg(file.path, pixelFormat: "rgb24") == own.rgb)
  }

  /// Compares patches of colour with ffmpeg's conversion.
  @Test(.sharedMachine, .needs(.ffmpeg), arguments: ColourMatrix.allCases, [fullRange, videoRange])
  func convertsColoursAsFFmpegDoes(matrix: ColourMatrix, format: OSType) throws {
    let side = 16
    let legal: ClosedRange<UInt8> = format == fullRange ? 1...255 : 16...235
    let picture = try makePatternedPicture(12 * side, 8 * side, format) { plane, row, column in
      let patch = plane == 0 ? row / side * 12 + column / side : row * 2 / side * 12 + column / side
      let values = [patch * 37 + 20, patch * 91 + 60, patch * 53 + 11]
      let value = UInt8(truncatingIfNeeded: values[plane == 0 ? 0 : 1 + column % 2])
      return min(max(value, legal.lowerBound), legal.upperBound)
    }
    picture.state(matrix)
    let own = try PNGDecoder([UInt8](PNGEncoder.encode(picture))).rgb
    let file = folder.appendingPathComponent("picture.y4m")
    let header = try Y4MHeader(
      width: 12 * side, height: 8 * side, frameRate: .init(1, 1),
      range: format == fullRange ? .full : .limited, matrix: matrix)
    var encoder = Y4MFrameEncoder(header: header)
    try Data((header.line + "\n").utf8 + encoder.encode(picture)).write(to: file)
    let name = matrix == .bt709 ? "bt709" : "bt601"
    let theirs = try decodeByFFmpeg(
      file.path, pixelFormat: "rgb24",
      filter: "scale=in_color_matrix=\(name):flags=accurate_rnd+full_chroma_int+neighbor")
    for row in 0..<8 {
      for column in 0..<12 {
        let at = ((row * side + side / 2) * 12 * side + column * side + side / 2) * 3
        for channel in 0..<3 {
          #expect(abs(Int(own[at + channel]) - Int(theirs[at + channel])) <= 2, "\(row), \(column)")
        }
      }
    }
  }

  static func rgb(_ y: UInt8, _ cb: UInt8, _ cr: UInt8, isFull: Bool, _ matrix: ColourMatrix) -> [Double] {
    let (kr, kb) = matrix == .bt709 ? (0.2126, 0.0722) : (0.299, 0.114)
    let luma = isFull ? Double(y) / 255 : (Double(y) - 16) / 219
    let swing = isFull ? 255.0 : 224.0
    let (blue, red) = ((Double(cb) - 128) / swing, (Double(cr) - 128) / swing)
    let r = luma + 2 * (1 - kr) * red
    let b = luma + 2 * (1 - kb) * blue
    let g = (luma - kr * r - kb * b) / (1 - kr - kb)
    return [r, g, b].map { min(255, max(0, $0 * 255)) }
  }
}
