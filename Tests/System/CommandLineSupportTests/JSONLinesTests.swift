import TestSupport

@Suite struct JSONLinesTests {
  private struct Sample: JSONEvent {
    static let event = "sample"
    var path = "/a/b"
    var count = 2
    var missing: String?
    var ratio = 0.5
  }

  private struct Empty: JSONEvent {
    static let event = "empty"
  }

  @Test func anEventIsOneLineWithSortedKeysAndPlainSlashes() throws {
    let collected = CollectedStream()
    let lines = JSONLines(to: collected.stream)
    try lines.write(Sample())
    try lines.write(Empty())
    #expect(
      try collected.text()
        == #"{"count":2,"event":"sample","path":"/a/b","ratio":0.5}"# + "\n" + #"{"event":"empty"}"# + "\n")
  }

  @Test func aNumberThatIsNotFiniteIsAnInternalErrorAndWritesNothing() throws {
    let collected = CollectedStream()
    let error = #expect(throws: ProgramFailure.self) {
      try JSONLines(to: collected.stream).write(Sample(ratio: .nan))
    }
    #expect(error?.exitCode == .internalError)
    #expect(try collected.text().isEmpty)
  }
}
