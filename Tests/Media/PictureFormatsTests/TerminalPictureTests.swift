import CoreVideo
import PictureFormats
import PixelAccess
import TestSupport
import Testing

@Suite struct TerminalPictureTests {
  @Test(arguments: [
    (1170, 2532, 80, 24, 22, 24), (2532, 1170, 80, 24, 80, 19), (100, 100, 10, 10, 10, 5),
    (8, 4, 80, 1, 4, 1),
    (1000, 2, 10, 10, 10, 1), (2, 1000, 10, 10, 1, 10), (4, 4, 1, 1, 1, 1),
  ])
  func fitsThePictureWithoutChangingItsShape(
    width: Int, height: Int, columns: Int, rows: Int, wantedColumns: Int, wantedRows: Int
  ) throws {
    let picture = try makePatternedPicture(width, height, fullRange) { _, _, _ in 128 }
    let lines = TerminalPicture.draw(picture, columns: columns, rows: rows).split(
      separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == wantedRows)
    for line in lines {
      #expect(line.count { $0 == "▀" } == wantedColumns)
      #expect(line.hasSuffix("▀\u{1B}[0m"))
    }
  }

  @Test(arguments: PictureRotation.allCases) func paintsTheQuartersUpright(rotation: PictureRotation)
    throws
  {
    // Quarters, clockwise from the top left: black, grey 80, grey 160, white.
    let greys: [UInt8] = [0, 80, 160, 255]
    let picture = try makePatternedPicture(16, 16) { plane, row, column in
      guard plane == 0 else { return 128 }
      return greys[row < 8 ? (column < 8 ? 0 : 1) : (column < 8 ? 3 : 2)]
    }
    // A clockwise quarter turn brings the last of the clockwise order to the front.
    let turns = rotation.rawValue / 90
    let seen = (0..<4).map { greys[($0 + 4 - turns) % 4] }
    func fore(_ grey: UInt8) -> String { "\u{1B}[38;2;\(grey);\(grey);\(grey)m" }
    func back(_ grey: UInt8) -> String { "\u{1B}[48;2;\(grey);\(grey);\(grey)m" }
    let expected =
      fore(seen[0]) + back(seen[3]) + "▀" + fore(seen[1]) + back(seen[2]) + "▀" + "\u{1B}[0m"
    #expect(TerminalPicture.draw(picture, rotation: rotation, columns: 2, rows: 1) == expected)
  }

  @Test func leavesTheLowerHalfOfAnOddLastLineAlone() throws {
    let picture = try makePatternedPicture(8, 4) { plane, _, _ in plane == 0 ? 50 : 128 }
    #expect(TerminalPicture.draw(picture, columns: 2, rows: 9) == "\u{1B}[38;2;50;50;50m▀▀\u{1B}[0m")
  }

  @Test func drawsNothingWithoutRoomOrInAnotherFormat() throws {
    let picture = try makePatternedPicture(8, 4)
    #expect(TerminalPicture.draw(picture, columns: 0, rows: 9).isEmpty)
    #expect(TerminalPicture.draw(picture, columns: 9, rows: -1).isEmpty)
    let packed = try makePatternedPicture(8, 4, kCVPixelFormatType_32BGRA)
    #expect(TerminalPicture.draw(packed, columns: 9, rows: 9).isEmpty)
  }
}
