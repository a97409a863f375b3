import CoreVideo
import PixelAccess
import TestSupport

@testable import TestPatterns

@Suite(.busyMachine) struct ProofVerifierTests {
  @Test(arguments: [
    (16, 16, 0, 0), (18, 34, 1, 7), (130, 98, 33, 2), (240, 320, 16, 48), (17, 16, 0, 0), (16, 17, 0, 1),
    (33, 35, 1, 0), (1179, 36, 5, 4), (129, 97, 0, 0),
  ]) func acceptsEveryWholeFrame(width: Int, height: Int, lumaPadding: Int, chromaPadding: Int) throws {
    for format in PatternPainterTests.formats {
      let picture = try Picture(
        width: width, height: height, format: format, lumaPadding: lumaPadding, chromaPadding: chromaPadding)
      for frame in [UInt64(0), 1, 15, 16, 255, 65_535, 4_294_967_295, 4_294_967_296] {
        try paint(frame, picture)
        #expect(ProofVerifier.verify(picture.buffer) == .whole(frame: UInt32(truncatingIfNeeded: frame)))
      }
    }
  }

  @Test(arguments: [
    (UInt64(41), UInt64(42)), (0, 1), (47, 48), (65_536, 65_535), (0xFFFF_FFFF, 0x1_0000_0000),
  ]) func findsEverySingleByteOfTheNeighbouringFrame(frame: UInt64, other: UInt64) throws {
    let picture = try Picture(width: 34, height: 20, lumaPadding: 5, chromaPadding: 3)
    let source = try Picture(width: 34, height: 20)
    try paint(frame, picture)
    try paint(other, source)
    for plane in 0..<2 {
      for row in 0..<picture.buffer.planeShape(plane).height {
        for column in 0..<34 {
          let kept = picture.byte(plane, row, column)
          picture.set(plane, row, column, to: source.byte(plane, row, column))
          let verdict = ProofVerifier.verify(picture.buffer)
          let torn = ProofVerdict.torn(
            row: row, plane: plane, expected: UInt32(truncatingIfNeeded: frame),
            found: UInt32(truncatingIfNeeded: other))
          #expect(verdict == torn, "plane \(plane), row \(row), column \(column)")
          picture.set(plane, row, column, to: kept)
        }
      }
    }
    #expect(ProofVerifier.verify(picture.buffer) == .whole(frame: UInt32(truncatingIfNeeded: frame)))
  }

  @Test(arguments: [(17, 16), (16, 17), (33, 35), (65, 31), (179, 20)])
  func findsATearInTheLastOddColumnAndRow(width: Int, height: Int) throws {
    let picture = try Picture(width: width, height: height, lumaPadding: 3, chromaPadding: 5)
    let source = try Picture(width: width, height: height)
    try paint(900, picture)
    try paint(901, source)
    for plane in 0..<2 {
      let (rows, columns) = (picture.buffer.planeShape(plane).height, picture.visibleBytes(plane))
      let lastRow = (0..<columns).map { (rows - 1, $0) }
      let lastColumns = (0..<rows).flatMap { row in (columns - 2..<columns).map { (row, $0) } }
      for (row, column) in lastRow + lastColumns {
        let kept = picture.byte(plane, row, column)
        picture.set(plane, row, column, to: source.byte(plane, row, column))
        let torn = ProofVerdict.torn(row: row, plane: plane, expected: 900, found: 901)
        #expect(ProofVerifier.verify(picture.buffer) == torn, "plane \(plane), row \(row), column \(column)")
        picture.set(plane, row, column, to: kept)
      }
    }
    #expect(ProofVerifier.verify(picture.buffer) == .whole(frame: 900))
  }

  @Test func refusesAFrameWhoseChromaDoesNotCoverIt() throws {
    for pairs in [(16, 18), (17, 17), (18, 18), (17, 19)] {
      let picture = try Picture(width: 33, height: 35, pairs: pairs)
      let whole = try Picture(width: 33, height: 35)
      try paint(7, whole)
      picture.copyRows(0..<35, of: 0, from: whole)
      #expect(ProofVerifier.verify(picture.buffer) == .notProof)
    }
  }

  @Test func everyByteDiffersFromFourteenFramesBeforeAndAfter() {
    for frame in [UInt32(0), 7, 250, 0xFFF0, 0xABCD_EF01] {
      for distance in UInt32(1)...14 {
        let (first, second) = (
          ProofTag(frame: frame, plane: 0, row: 3), ProofTag(frame: frame &+ distance, plane: 0, row: 3)
        )
        for index in 0..<8 {
          #expect((first.low ^ second.low) >> UInt64(index * 8) & 0xF != 0)
          #expect((first.high ^ second.high) >> UInt64(index * 8) & 0xF != 0)
        }
      }
    }
  }

  @Test(arguments: [1, 2, 40, 97]) func reportsTheFirstRowOfTheOtherHalf(row: Int) throws {
    let (picture, other) = (try painted(7, 130, 98), try painted(5_000, 130, 98))
    picture.copyRows(row..<98, of: 0, from: other)
    #expect(ProofVerifier.verify(picture.buffer) == .torn(row: row, plane: 0, expected: 7, found: 5_000))
  }

  @Test func findsChromaOfAnotherFrame() throws {
    let (picture, other) = (try painted(7, 64, 64), try painted(900, 64, 64))
    picture.copyRows(20..<32, of: 1, from: other)
    #expect(ProofVerifier.verify(picture.buffer) == .torn(row: 20, plane: 1, expected: 7, found: 900))
    picture.copyRows(0..<32, of: 1, from: other)
    #expect(ProofVerifier.verify(picture.buffer) == .torn(row: 0, plane: 1, expected: 7, found: 900))
  }

  @Test func findsAFarFrameInTheMiddleOfARow() throws {
    let (picture, other) = (try painted(7, 130, 98), try painted(123_456, 130, 98))
    for column in 60..<130 { picture.set(0, 50, column, to: other.byte(0, 50, column)) }
    #expect(ProofVerifier.verify(picture.buffer) == .torn(row: 50, plane: 0, expected: 7, found: 123_456))
  }

  @Test(arguments: [1, 2, 16, 32, -1, -16]) func findsRowsReadWithAWrongLength(error: Int) throws {
    let picture = try Picture(width: 160, height: 64, lumaPadding: 32, chromaPadding: 32)
    let sheared = try Picture(width: 160, height: 64, lumaPadding: 32, chromaPadding: 32)
    try paint(7, picture)
    try paint(7, sheared)
    for row in 1..<64 {
      for column in 0..<160 {
        let place = row * (192 + error) + column
        guard place / 192 < 64 else { continue }
        sheared.set(0, row, column, to: picture.byte(0, place / 192, place % 192))
      }
    }
    guard case .torn(1, 0, 7, _) = ProofVerifier.verify(sheared.buffer) else {
      Issue.record("\(ProofVerifier.verify(sheared.buffer))")
      return
    }
  }

  @Test func reportsAFrameThatStartsOutOfPlaceAsSheared() throws {
    let (picture, moved) = (try painted(7, 64, 40), try painted(7, 64, 40))
    for row in 0..<40 {
      for column in 0..<64 { moved.set(0, row, column, to: picture.byte(0, row, (column + 3) % 64)) }
    }
    #expect(ProofVerifier.verify(moved.buffer) == .torn(row: 0, plane: 0, expected: 7, found: 7))
    moved.copyRows(0..<1, of: 0, from: picture)
    #expect(ProofVerifier.verify(moved.buffer) == .torn(row: 1, plane: 0, expected: 7, found: 7))
  }

  @Test func reportsNoFrameForForeignBytes() throws {
    let picture = try Picture(width: 64, height: 40)
    try paint(7, picture)
    picture.set(0, 20, 20, to: 255)
    #expect(ProofVerifier.verify(picture.buffer) == .torn(row: 20, plane: 0, expected: 7, found: nil))
    try paint(7, picture)
    picture.set(1, 19, 63, to: 0)
    #expect(ProofVerifier.verify(picture.buffer) == .torn(row: 19, plane: 1, expected: 7, found: nil))
  }

  @Test(arguments: TestPattern.allCases.filter { $0 != .proof })
  func reportsAnotherPatternAsNotProof(pattern: TestPattern) throws {
    let picture = try Picture(width: 240, height: 160)
    for frame in [UInt64(0), 30] {
      try paint(frame, picture, pattern)
      #expect(ProofVerifier.verify(picture.buffer) == .notProof)
    }
  }

  @Test func reportsBlankAndOtherBuffersAsNotProof() throws {
    #expect(ProofVerifier.verify(try Picture(width: 64, height: 64).buffer) == .notProof)
    #expect(ProofVerifier.verify(try makePatternedPicture(1, 1)) == .notProof)
    #expect(ProofVerifier.verify(try makePatternedPicture(64, 64, kCVPixelFormatType_32BGRA)) == .notProof)
  }

  @Test func errorsAreSentences() {
    let torn = ProofVerdict.torn(row: 3, plane: 1, expected: 7, found: 8)
    #expect(torn.description == "frame 7 is torn: row 3 of the chroma plane holds bytes of frame 8")
  }

  private func painted(_ frame: UInt64, _ width: Int, _ height: Int) throws -> Picture {
    let picture = try Picture(width: width, height: height)
    try paint(frame, picture)
    return picture
  }

  private func paint(_ frame: UInt64, _ picture: Picture, _ pattern: TestPattern = .proof) throws {
    let shape = picture.buffer.planeShape(0)
    let painter = try PatternPainter(
      pattern, width: shape.width, height: shape.height,
      pixelFormat: CVPixelBufferGetPixelFormatType(picture.buffer), framesPerSecond: 60)
    try painter.paint(frame: frame, into: picture.buffer)
  }
}
