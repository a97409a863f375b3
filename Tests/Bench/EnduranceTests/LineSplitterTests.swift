import TestSupport

@testable import LaunchedPrograms

@Suite struct LineSplitterTests {
  @Test func piecesBecomeLinesAndTheRestStays() {
    var splitter = LineSplitter()
    #expect(splitter.lines(adding: Data("one\ntw".utf8)) == [Data("one".utf8)])
    #expect(splitter.lines(adding: Data("o\n\nthr".utf8)) == [Data("two".utf8), Data()])
    #expect(splitter.lines(adding: Data("ee".utf8)) == [])
  }
}
