import CoreVideo
import PixelAccess
import TestSupport

@testable import TestPatterns

@Suite(.busyMachine) struct PatternPainterTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var pattern: TestPattern
    var format = formats[0]
    var width: Int
    var height: Int
    var padding = (0, 0)
    var testDescription: String {
      let name = format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange ? "420f" : "420v"
      return "\(pattern) \(name) \(width)x\(height)+\(padding)"
    }
  }

  static let formats = [
    kCVPixelFormatType_420YpCbCr8BiPlanarFullRange, kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange,
  ]

  static let cases: [Case] = TestPattern.allCases.flatMap { pattern in
    formats.flatMap { format in
      // The formats differ only in their sample range, so the second format is drawn in fewer sizes.
      sizes.suffix(format == formats[0] ? sizes.count : 3).map {
        Case(pattern: pattern, format: format, width: $0.0, height: $0.1, padding: $0.2)
      }
    }
  }

  /// Even and odd widths and heights, with the padding of luma and chroma rows.
  static let sizes = [
    (16, 16, (0, 0)), (18, 34, (1, 7)), (46, 30, (3, 0)), (130, 98, (33, 2)), (144, 160, (16, 16)),
    (17, 16, (0, 0)), (16, 17, (0, 3)), (33, 35, (1, 0)), (131, 97, (2, 5)), (1179, 38, (5, 4)),
  ]

  @Test(arguments: cases) func drawsOnlyLegalSamplesAndLeavesPaddingAlone(_ item: Case) throws {
    let isFull = item.format == kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    let legal: [ClosedRange<UInt8>] = isFull ? [0...255, 1...255] : [16...235, 16...240]
    let (painter, picture) = try make(item)
    for frame in [UInt64(0), 59, 4_294_967_295] {
      try painter.paint(frame: frame, into: picture.buffer)
      for plane in 0..<2 {
        let visible = picture.visibleBytes(plane)
        for row in picture.rows(plane) {
          let (low, high) = (row[..<visible].min() ?? 0, row[..<visible].max() ?? 0)
          #expect(legal[plane].contains(low) && legal[plane].contains(high))
          #expect(row[visible...].allSatisfy { $0 == Picture.paddingMark })
        }
      }
    }
  }

  @Test(arguments: cases) func drawsEveryVisibleByteFromTheFrameNumberAloneAndNeighboursDiffer(
    _ item: Case
  ) throws {
    let (painter, first) = try make(item)
    let (_, second) = try make(item)
    try painter.paint(frame: 77, into: second.buffer)
    try painter.paint(frame: 5, into: first.buffer)
    try painter.paint(frame: 5, into: second.buffer)
    #expect((first.rows(0), first.rows(1)) == (second.rows(0), second.rows(1)))
    for frame in [UInt64(0), 9, 15, 99, 255] {
      try painter.paint(frame: frame, into: first.buffer)
      try painter.paint(frame: frame + 1, into: second.buffer)
      #expect(first.rows(0) != second.rows(0))
    }
  }

  @Test(arguments: cases.filter { $0.pattern != .chart }) func burnsInTheFrameNumberAndTheTimeCode(
    _ item: Case
  ) throws {
    let (painter, picture) = try make(item)
    for frame in [UInt64(0), 1_234_567, 98_765_432] {
      try painter.paint(frame: frame, into: picture.buffer)
      let line = painter.burnIn.number
      let digits = String(frame % 100_000_000)
      let text = String(repeating: "0", count: 8 - digits.count) + digits
      #expect(read(line, in: picture) == String(text.suffix(line.glyphCount)))
    }
    guard let timeCode = painter.burnIn.timeCode else {
      #expect(item.width < 130)
      return
    }
    try painter.paint(frame: (3 * 3600 + 25 * 60 + 47) * 30 + 29, into: picture.buffer)
    #expect(read(timeCode, in: picture) == "03:25:47:29")
  }

  @Test(arguments: [
    (1080, 720), (1170, 2532), (2532, 1170), (8192, 16), (16, 8192), (50, 50), (66, 40), (17, 16), (16, 17),
    (49, 51), (71, 33), (1179, 2556), (2556, 1179), (8191, 17), (17, 8191), (8191, 8191),
  ]) func textAndMarkStayWithinTheFrame(width: Int, height: Int) {
    let burnIn = BurnIn(width: width, height: height)
    func contains(_ outer: PixelRect, _ inner: PixelRect) -> Bool {
      outer.columns.clamped(to: inner.columns) == inner.columns
        && outer.rows.clamped(to: inner.rows) == inner.rows
    }
    let whole = PixelRect(x: 0, y: 0, width: width, height: height)
    #expect(contains(whole, burnIn.box) && contains(whole, burnIn.track))
    for line in [burnIn.number, burnIn.timeCode].compactMap(\.self) {
      #expect(contains(burnIn.box, PixelRect(x: line.x, y: line.y, width: line.width, height: line.height)))
    }
    for frame in [0, 1, 2, 100, 1000, 12_345, UInt64.max] {
      #expect(contains(burnIn.track, burnIn.mark(frame: frame)))
    }
    #expect(burnIn.mark(frame: 1) != burnIn.mark(frame: 2))
  }

  @Test func timeCodeCountsFramesSecondsMinutesAndHours() {
    func text(_ frame: UInt64, _ rate: Int) -> String {
      BurnIn.timeCode(of: frame, framesPerSecond: rate).map { $0 == 10 ? ":" : "\($0)" }.joined()
    }
    #expect((text(0, 60), text(59, 60), text(60, 60)) == ("00:00:00:00", "00:00:00:59", "00:00:01:00"))
    #expect((text(60 * 60 * 60 - 1, 60), text(100 * 3600 * 24, 24)) == ("00:59:59:59", "00:00:00:00"))
    #expect(text(110, 120) == "00:00:00:10")
  }

  @Test func refusesSizesFormatsAndRatesItCannotDraw() throws {
    let full = kCVPixelFormatType_420YpCbCr8BiPlanarFullRange
    func error(_ width: Int, _ height: Int, _ format: OSType, _ rate: Int) -> PatternPainter.Error? {
      do throws(PatternPainter.Error) {
        _ = try PatternPainter(
          .bars, width: width, height: height, pixelFormat: format, framesPerSecond: rate)
      } catch { return error }
      return nil
    }
    for (width, height) in [(15, 16), (16, 15), (8193, 16), (16, 8193), (0, 16), (-2, 16)] {
      #expect(error(width, height, full, 60) == .size(width: width, height: height))
    }
    #expect(error(16, 16, kCVPixelFormatType_32BGRA, 60) == .pixelFormat(kCVPixelFormatType_32BGRA))
    #expect(error(16, 16, full, 0) == .frameRate(0))
    #expect(error(8192, 16, full, 1000) == nil)
    #expect(error(17, 8191, full, 1) == nil)

    let painter = try PatternPainter(.bars, width: 32, height: 32, pixelFormat: full, framesPerSecond: 60)
    // A buffer with one row less has as many chroma rows.
    for height in [34, 31] {
      let picture = try Picture(width: 32, height: height)
      let error = PatternPainter.Error.bufferSize(
        width: 32, height: height, wantedWidth: 32, wantedHeight: 32)
      #expect(throws: error) { try painter.paint(frame: 0, into: picture.buffer) }
    }
    let other = try Picture(width: 32, height: 32, format: kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)
    #expect(throws: PatternPainter.Error.pixelFormat(kCVPixelFormatType_420YpCbCr8BiPlanarVideoRange)) {
      try painter.paint(frame: 0, into: other.buffer)
    }
    #expect(PatternPainter.Error.pixelFormat(full).description.contains("420f cannot be drawn here"))
  }

  @Test func noiseDiffersInEveryRowOfNeighbouringFrames() throws {
    let item = Case(pattern: .noise, width: 128, height: 128)
    let (painter, first) = try make(item)
    let (_, second) = try make(item)
    try painter.paint(frame: 8, into: first.buffer)
    try painter.paint(frame: 9, into: second.buffer)
    let same = zip(first.rows(0), second.rows(0)).enumerated().filter { row, pair in
      pair.0 == pair.1 && !painter.burnIn.track.rows.contains(row)
    }
    #expect(same.isEmpty)
  }

  @Test func lastOddColumnAndRowUseTheNextChroma() throws {
    let (painter, picture) = try make(Case(pattern: .bars, width: 161, height: 121))
    try painter.paint(frame: 0, into: picture.buffer)
    #expect(picture.visibleBytes(1) == 162 && picture.rows(1).count == 61)
    let (luma, chroma) = (picture.rows(0), picture.rows(1))
    #expect(luma.allSatisfy { $0[160] == $0[159] })
    #expect(chroma.allSatisfy { $0[160...161] == $0[158...159] })
    #expect(luma[120] == luma[119] && chroma[60] == chroma[59])
  }

  @Test func barsShowTheColoursInTheirOrder() throws {
    let (painter, picture) = try make(Case(pattern: .bars, format: Self.formats[1], width: 160, height: 160))
    try painter.paint(frame: 0, into: picture.buffer)
    // 75 % bars in BT.709 video range, as in the tables of the standard.
    let expected: [(UInt8, UInt8, UInt8)] = [
      (180, 128, 128), (168, 44, 136), (145, 147, 44), (133, 63, 52), (63, 193, 204), (51, 109, 212),
      (28, 212, 120), (16, 128, 128),
    ]
    for (bar, colour) in expected.enumerated() {
      let column = bar * 20 + 10
      #expect(picture.byte(0, 2, column) == colour.0 && picture.byte(1, 1, column) == colour.1)
      #expect(picture.byte(1, 1, column + 1) == colour.2)
    }
  }

  @Test(arguments: PictureRotation.allCases, [(144, 320), (320, 144), (16, 34), (130, 98)])
  func aPictureWithATopIsDrawnAsTheHeldDeviceShowsIt(
    rotation: PictureRotation, size: (width: Int, height: Int)
  ) throws {
    for pattern in [TestPattern.bars, .app] {
      let upright = rotation.uprightSize(width: size.width, height: size.height)
      let whole = Case(pattern: pattern, width: upright.width, height: upright.height)
      let (painter, wanted) = try make(whole)
      try painter.paint(frame: 107, into: wanted.buffer)
      let stored = Case(pattern: pattern, width: size.width, height: size.height, padding: (3, 5))
      let (turned, picture) = try make(stored, rotation)
      try turned.paint(frame: 107, into: picture.buffer)
      var turner = PictureTurner()
      let shown = try turner.turn(picture.buffer, by: rotation)
      for plane in 0..<2 { #expect(samples(shown, plane: plane) == samples(wanted.buffer, plane: plane)) }
    }
  }

  @Test(arguments: TestPattern.allCases.filter { $0 != .chart }, PictureRotation.allCases)
  func theNumberIsUprightWhenTheFrameIs(pattern: TestPattern, rotation: PictureRotation) throws {
    for (width, height) in [(144, 320), (131, 97), (46, 31), (17, 16), (99, 240)] {
      let item = Case(pattern: pattern, width: width, height: height, padding: (1, 0))
      let (painter, picture) = try make(item, rotation)
      for plane in 0..<2 {
        picture.buffer.writePlane(plane) { bytes, _ in bytes.fill(0..<bytes.count, with: 0) }
      }
      try painter.paint(frame: 1_234_567, into: picture.buffer)
      var turner = PictureTurner()
      let shown = try turner.turn(picture.buffer, by: rotation)
      let line = painter.burnIn.number
      #expect(read(line, in: shown) == String("01234567".suffix(line.glyphCount)))
      if pattern == .proof { #expect(ProofVerifier.verify(picture.buffer) == .whole(frame: 1_234_567)) }
      // Each byte was drawn: no chroma is 0.
      for row in picture.rows(1) { #expect(!row.prefix(picture.visibleBytes(1)).contains(0)) }
    }
  }

  @Test func theDrawnAppComesToRest() throws {
    let painter = try PatternPainter(
      .app, width: 64, height: 128, pixelFormat: Self.formats[0], framesPerSecond: 60)
    let ticks = (0..<720).filter {
      !painter.isIdle(from: .seconds(Double($0) / 60), to: .seconds(Double($0 + 1) / 60))
    }
    // In twelve seconds the list moves twice.
    #expect((180...200).contains(ticks.count))
    let idle = [100..<475, 580..<719]
    #expect(!ticks.contains { tick in idle.contains { $0.contains(tick) } })
    #expect(!painter.isIdle(from: .zero, to: .milliseconds(20)))
    #expect(painter.isIdle(from: .seconds(2), to: .milliseconds(2500)))
    #expect(painter.isIdle(from: .seconds(12), to: .zero) && !painter.isIdle(from: .seconds(6), to: .zero))
  }

  private func make(_ item: Case, _ rotation: PictureRotation = .none) throws -> (PatternPainter, Picture) {
    let painter = try PatternPainter(
      item.pattern, width: item.width, height: item.height, pixelFormat: item.format, framesPerSecond: 30,
      rotation: rotation)
    let picture = try Picture(
      width: item.width, height: item.height, format: item.format, lumaPadding: item.padding.0,
      chromaPadding: item.padding.1)
    return (painter, picture)
  }

  /// Reads a line of text cell by cell, by the glyphs in ``letters``.
  private func read(_ line: BurnIn.Line, in picture: Picture) -> String { read(line, in: picture.buffer) }

  private func read(_ line: BurnIn.Line, in buffer: CVPixelBuffer) -> String {
    let (all, width) = (samples(buffer, plane: 0), buffer.planeShape(0).width)
    let rows = stride(from: 0, to: all.count, by: width).map { Array(all[$0..<$0 + width]) }
    return (0..<line.glyphCount).map { index -> String in
      let glyph = (0..<7).map { row -> String in
        (0..<5).map { cell -> String in
          var lit = 0
          for y in 0..<line.scale {
            for x in 0..<line.scale
            where rows[line.y + row * line.scale + y][line.x + (index * 6 + cell) * line.scale + x] >= 150 {
              lit += 1
            }
          }
          return lit == 0 ? "." : lit == line.scale * line.scale ? "#" : "?"
        }.joined()
      }.joined(separator: " ")
      return Self.letters[glyph] ?? "[\(glyph)]"
    }.joined()
  }

  private static let letters: [String: String] = [
    ".###. ##.## ##.## ##.## ##.## ##.## .###.": "0",
    "..##. .###. ####. ..##. ..##. ..##. #####": "1",
    "####. ...## ...## .###. ##... ##... #####": "2",
    "####. ...## ...## .###. ...## ...## ####.": "3",
    "##.## ##.## ##.## ##### ...## ...## ...##": "4",
    "##### ##... ##... ####. ...## ...## ####.": "5",
    ".###. ##... ##... ####. ##.## ##.## .###.": "6",
    "##### ...## ...## ..##. ..##. .##.. .##..": "7",
    ".###. ##.## ##.## .###. ##.## ##.## .###.": "8",
    ".###. ##.## ##.## .#### ...## ...## .###.": "9",
    "..... ..##. ..##. ..... ..##. ..##. .....": ":",
  ]
}
