import PictureFormats
import PixelAccess
import Testing

@Suite struct Y4MHeaderTests {
  @Test func readsTagsInAnyOrder() throws {
    let expected = try Y4MHeader(
      width: 640, height: 480, frameRate: .init(30_000, 1001), chroma: .mpeg2, range: .full)
    #expect(
      try Y4MHeader(
        line: "YUV4MPEG2 W640 H480 F30000:1001 Ip A4:3 C420mpeg2 XYSCSS=420MPEG2 XCOLORRANGE=FULL")
        == expected)
    #expect(
      try Y4MHeader(line: "YUV4MPEG2 XCOLORRANGE=FULL C420mpeg2  A4:3 XFOO Z9 Ip F30000:1001 H480 W640 ")
        == expected)
  }

  @Test func missingTagsAreUnknownAndLimited() throws {
    let header = try Y4MHeader(line: "YUV4MPEG2 W1 H8192 F0:0 I? A0:0")
    #expect(
      header
        == (try Y4MHeader(
          width: 1, height: 8192, frameRate: nil, chroma: .unspecified, range: .limited)))
  }

  @Test(arguments: Y4MHeader.Chroma.allCases, [SampleRange.full, .limited])
  func readsBackWhatItWrites(chroma: Y4MHeader.Chroma, range: SampleRange) throws {
    for (rate, matrix) in [
      (nil, ColourMatrix?.none), (Y4MHeader.Ratio(60, 1), .bt709), (.init(999_999_999, 999_999_999), .bt601),
    ] {
      let header = try Y4MHeader(
        width: 1171, height: 33, frameRate: rate, chroma: chroma, range: range, matrix: matrix)
      #expect(try Y4MHeader(line: header.line) == header)
    }
  }

  @Test func countsTheBytesOfOddFrames() throws {
    let header = try Y4MHeader(width: 3, height: 5, frameRate: nil, range: .full)
    #expect(header.frameByteCount == 15 + 2 * 2 * 3)
  }

  static let bad: [(String, Y4MHeader.Error)] = [
    ("", .notY4M), ("YUV4MPEG", .notY4M), ("YUV4MPEG2W1 H1", .notY4M), ("RIFF W1 H1", .notY4M),
    (" YUV4MPEG2 W1 H1", .notY4M), ("yuv4mpeg2 W1 H1", .notY4M),
    ("YUV4MPEG2", .missing("W")), ("YUV4MPEG2 W16", .missing("H")), ("YUV4MPEG2 H16", .missing("W")),
    ("YUV4MPEG2 W H16", .malformed("W")), ("YUV4MPEG2 W-1 H16", .malformed("W-1")),
    ("YUV4MPEG2 W+1 H16", .malformed("W+1")), ("YUV4MPEG2 W1x H16", .malformed("W1x")),
    ("YUV4MPEG2 W٣ H16", .malformed("W٣")),
    ("YUV4MPEG2 W99999999999999999999999999 H1", .malformed("W99999999999999999999999…")),
    ("YUV4MPEG2 W0 H16", .size(width: 0, height: 16)),
    ("YUV4MPEG2 W8193 H16", .size(width: 8193, height: 16)),
    ("YUV4MPEG2 W16 H999999999", .size(width: 16, height: 999_999_999)),
    ("YUV4MPEG2 W16 H16 F30", .malformed("F30")), ("YUV4MPEG2 W16 H16 F30:0", .malformed("F30:0")),
    ("YUV4MPEG2 W16 H16 F0:1", .malformed("F0:1")), ("YUV4MPEG2 W16 H16 F1:2:3", .malformed("F1:2:3")),
    ("YUV4MPEG2 W16 H16 F-30:-1", .malformed("F-30:-1")), ("YUV4MPEG2 W16 H16 F:", .malformed("F:")),
    ("YUV4MPEG2 W16 H16 A1", .malformed("A1")),
    ("YUV4MPEG2 W16 H16 It", .interlaced("t")), ("YUV4MPEG2 W16 H16 Ib", .interlaced("b")),
    ("YUV4MPEG2 W16 H16 Im", .interlaced("m")), ("YUV4MPEG2 W16 H16 Iz", .malformed("Iz")),
    ("YUV4MPEG2 W16 H16 C444", .colourSpace("444")), ("YUV4MPEG2 W16 H16 C420p10", .colourSpace("420p10")),
    ("YUV4MPEG2 W16 H16 Cmono", .colourSpace("mono")), ("YUV4MPEG2 W16 H16 C422", .colourSpace("422")),
    ("YUV4MPEG2 W16 H16 C", .colourSpace("")),
    ("YUV4MPEG2 W16 H16 XCOLORRANGE=WIDE", .malformed("XCOLORRANGE=WIDE")),
    ("YUV4MPEG2 W16 H16 X" + String(repeating: "a", count: 4096), .lineTooLong),
  ]

  @Test(arguments: bad) func refuses(line: String, error: Y4MHeader.Error) {
    #expect(throws: error) { try Y4MHeader(line: line) }
  }
}
